import type { Connection } from "agents";
import type { Audience } from "./audience.ts";
import type { Ends } from "./ends.ts";
import type { LiveAnswer } from "./live-answer.ts";
import { pendingFrame, resumeNoneFrame, resumingFrame, terminalFrame } from "./outgoing.ts";

type HandshakeParts = {
  readonly audience: Audience;
  readonly ends: Ends;
  readonly live: () => LiveAnswer | undefined;
  /** The answer that failed last, as far as this life of the object has it. */
  readonly failed: () => LiveAnswer | undefined;
  /** A turn that clients wait for, and that has no answer yet; `true`: one that is about to be. */
  readonly expected: (connection: Connection) => string | true | undefined;
  /** The connection whose answer to a tool the turn goes on from. */
  readonly ownerOf: (turnId: string) => string | undefined;
};

/** The server's half of how a client finds the answer that it missed. */
export class Handshake {
  readonly #parts: HandshakeParts;
  /** Told to wait, with the probe to be answered. */
  readonly #parked = new Map<string, { readonly connection: Connection; readonly probeId: string | undefined }>();

  constructor(parts: HandshakeParts) {
    this.#parts = parts;
  }

  /** `true`: the client will get what is live, and needs no transcript before it. */
  connected(connection: Connection): boolean {
    const { live, expected } = this.#parts;
    const answer = live();
    if (answer) {
      this.#offer(connection, answer.turn.id);
      return true;
    }
    if (expected(connection) !== undefined) this.#park(connection);
    return false;
  }

  requested(connection: Connection, probeId: string | undefined): void {
    const { audience, ends, live, expected } = this.#parts;
    const answer = live();
    if (answer) {
      if (this.#isSomebodyElses(connection, answer)) {
        audience.send(connection, resumeNoneFrame("continuation-owned", probeId));
      } else this.#offer(connection, answer.turn.id, probeId);
      return;
    }
    if (expected(connection) !== undefined) return this.#park(connection, probeId);
    const failed = ends.failed();
    if (failed === undefined) audience.send(connection, resumeNoneFrame("idle", probeId));
    else audience.send(connection, resumingFrame(failed, probeId));
  }

  acknowledged(connection: Connection, id: string): void {
    const { audience, ends, live } = this.#parts;
    const answer = live();
    if (answer?.turn.id === id) {
      // Asked for twice, it is sent once: what is live has come since.
      if (audience.isHeld(connection, id)) answer.replayTo(connection);
      return;
    }
    audience.release(connection, id);
    const failed = this.#parts.failed();
    if (failed?.turn.id === id) failed.repeatTo(connection);
    if (ends.isOpen(id)) return;
    const end = ends.frameOf(id, true);
    if (end !== undefined) audience.send(connection, end);
    // Of a turn that nobody knows there is nothing to come either.
    else if (!answer) audience.send(connection, terminalFrame({ id, replay: true }));
  }

  /** An answer begins: who waits for it can have it. */
  began(answer: LiveAnswer): void {
    for (const { connection, probeId } of this.#unpark()) {
      if (this.#isSomebodyElses(connection, answer)) {
        this.#parts.audience.send(connection, resumeNoneFrame("continuation-owned", probeId));
      } else this.#offer(connection, answer.turn.id, probeId);
    }
  }

  /** Nothing is expected any more. */
  cancelled(): void {
    for (const { connection, probeId } of this.#unpark()) {
      this.#parts.audience.send(connection, resumeNoneFrame("idle", probeId));
    }
  }

  left({ id }: Connection): void {
    this.#parked.delete(id);
  }

  get hasParked(): boolean {
    return this.#parked.size > 0;
  }

  #offer(connection: Connection, id: string, probeId?: string): void {
    const { audience } = this.#parts;
    audience.hold(connection, id);
    audience.send(connection, resumingFrame(id, probeId));
  }

  #park(connection: Connection, probeId?: string): void {
    const { audience, expected } = this.#parts;
    const turn = expected(connection);
    this.#parked.set(connection.id, { connection, probeId });
    audience.send(connection, pendingFrame(typeof turn === "string" ? turn : undefined, probeId));
  }

  *#unpark() {
    const parked = [...this.#parked.values()];
    this.#parked.clear();
    yield* parked;
  }

  /** It goes on for the client that answered the tool; others see it live. */
  #isSomebodyElses(connection: Connection, { turn }: LiveAnswer): boolean {
    const owner = this.#parts.ownerOf(turn.id);
    return owner !== undefined && owner !== connection.id && this.#parts.audience.has(owner);
  }
}
