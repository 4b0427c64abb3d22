import type { Checkpoint } from "./checkpoint.ts";

/** Events after which a busy lane stores the checkpoint. */
const CHECKPOINT_EVERY = 50;

/**
 * How far a hook has come in the log: which events it was told of and has returned from. Kept across
 * restarts, so that each is told at least once. Costs nothing while nobody listens.
 */
export class Follower {
  /** Is there anybody to tell? */
  readonly listening: boolean;
  readonly #checkpoint: Checkpoint;
  readonly #head: () => number;
  readonly #outstanding = new Set<number>();

  /** @param head - Position of the newest event. */
  constructor(listening: boolean, checkpoint: Checkpoint, head: () => number) {
    this.listening = listening;
    this.#checkpoint = checkpoint;
    this.#head = head;
  }

  /** The hook is being told of this event; call what is returned when it has returned. */
  begin(position: number): () => void {
    this.#outstanding.add(position);
    return () => void this.#outstanding.delete(position);
  }

  /** Everything up to this position has been told, and the hook has returned. */
  heard(): number {
    return this.#outstanding.size === 0 ? this.#head() : Math.min(...this.#outstanding) - 1;
  }

  /** What the hook may have missed when the object stopped. A hook that is new begins with what comes next. */
  missed(): { readonly after: number; readonly until: number } | undefined {
    if (!this.listening) return undefined;
    const until = this.heard();
    if (this.#checkpoint.read() === undefined) this.#checkpoint.save(until);
    const after = this.#checkpoint.read() ?? until;
    return after < until ? { after, until } : undefined;
  }

  /** Store how far the hook has come: when the lane falls idle. */
  saveCheckpoint(): void {
    if (this.listening) this.#checkpoint.save(this.heard());
  }

  /**
   * The same in the middle of a drain, in a commit that happens anyway, and only now and then: each time
   * would cost a row for every turn, only to save repeated calls after a crash.
   *
   * @param heard - What `heard()` said before the commit's own events.
   */
  saveCheckpointNowAndThen(heard: number): void {
    if (this.listening && heard - (this.#checkpoint.read() ?? 0) >= CHECKPOINT_EVERY) this.#checkpoint.save(heard);
  }

  /** A transaction that stored the checkpoint did not commit. */
  rolledBack(): void {
    this.#checkpoint.rolledBack();
  }
}
