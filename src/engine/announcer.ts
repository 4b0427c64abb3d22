import { report } from "./console.ts";
import type { ThinkSubmissionInspection } from "../types.ts";
import { isTerminal } from "../commands/index.ts";
import type { StatusHook } from "./ports.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { insideStatusHook } from "./status-hook-scope.ts";

/** Events after which a busy lane stores the checkpoint. */
const CHECKPOINT_EVERY = 50;

type Announcement = { readonly position: number; readonly submission: ThinkSubmissionInspection };

/**
 * Tells the status hook of every change, at least once and in order for each submission, and remembers in
 * the object's storage how far it has come. One submission's slow hook holds up no other submission.
 */
export class Announcer {
  readonly #hook: StatusHook;
  readonly #checkpoint: Checkpoint;
  readonly #chains = new Map<string, Promise<void>>();
  readonly #outstanding = new Set<number>();
  readonly #waiting = new Map<string, ((submission: ThinkSubmissionInspection) => void)[]>();
  readonly #head: () => number;

  /** @param head - Position of the newest event. */
  constructor(hook: StatusHook, checkpoint: Checkpoint, head: () => number) {
    this.#hook = hook;
    this.#checkpoint = checkpoint;
    this.#head = head;
  }

  /** Resolves when the hook has returned and those who wait for the submission's end have been told. */
  async announce(announcement: Announcement): Promise<void> {
    await this.#callHook(announcement);
    const { submission } = announcement;
    if (!isTerminal(submission.status)) return;
    for (const resolve of this.#waiting.get(submission.submissionId) ?? []) resolve(submission);
    this.#waiting.delete(submission.submissionId);
  }

  /** Resolves with the submission as it ended, once its end has been announced. */
  ended(submissionId: string): Promise<ThinkSubmissionInspection> {
    return new Promise((resolve) => {
      this.#waiting.set(submissionId, [...(this.#waiting.get(submissionId) ?? []), resolve]);
    });
  }

  #callHook({ position, submission }: Announcement): Promise<void> | undefined {
    const hook = this.#hook;
    if (!hook) return undefined;
    const id = submission.submissionId;
    this.#outstanding.add(position);
    const told = (this.#chains.get(id) ?? Promise.resolve())
      .then(() => insideStatusHook(() => hook(submission)))
      .catch((error: unknown) => report(`onSubmissionStatus threw for submission ${id}`, error))
      .finally(() => {
        this.#outstanding.delete(position);
        if (this.#chains.get(id) === told) this.#chains.delete(id);
      });
    this.#chains.set(id, told);
    return told;
  }

  /** Resolves when everything that was announced of the submission so far has been heard. */
  async settled(submissionId: string): Promise<void> {
    await this.#chains.get(submissionId);
  }

  /** Everything up to this position has been announced, and the hooks have returned. */
  heard(): number {
    return this.#outstanding.size === 0 ? this.#head() : Math.min(...this.#outstanding) - 1;
  }

  /** Is there anything the hook may not have heard? Begins to follow the log when the hook is new. */
  isBehind(): boolean {
    if (!this.#hook) return false;
    if (this.#checkpoint.read() === undefined) this.#checkpoint.save(this.#head());
    return (this.#checkpoint.read() ?? 0) < this.heard();
  }

  /** Where the hook had come when this object last stored it. */
  get resumeFrom(): number {
    return this.#checkpoint.read() ?? this.#head();
  }

  /** Store how far all hooks have come: when the lane falls idle. */
  saveCheckpoint(): void {
    if (this.#hook) this.#checkpoint.save(this.heard());
  }

  /**
   * The same in the middle of a drain, in a commit that happens anyway, and only now and then: each time
   * would cost a row for every turn, only to save repeated calls after a crash.
   *
   * @param heard - What `heard()` said before the commit's own events.
   */
  saveCheckpointNowAndThen(heard: number): void {
    if (this.#hook && heard - this.resumeFrom >= CHECKPOINT_EVERY) this.#checkpoint.save(heard);
  }

  /** A transaction that stored the checkpoint did not commit. */
  rolledBack(): void {
    this.#checkpoint.rolledBack();
  }
}
