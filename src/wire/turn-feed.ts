import { isTerminal } from "../commands/index.ts";
import { turnStream } from "../events/index.ts";
import { report } from "../engine/console.ts";
import type { ClaimedTurn, TurnRun } from "../engine/ports.ts";
import type { AnswerListener, TurnAudience } from "../turn/ports.ts";
import type { MessagePart } from "./adapter.ts";
import type { Ends } from "./ends.ts";
import { Handshake } from "./handshake.ts";
import { LiveAnswer } from "./live-answer.ts";
import type { WireNeeds } from "./needs.ts";
import { transcriptFrame } from "./outgoing.ts";
import { shownChunks } from "./shown-chunks.ts";
import type { Transcript } from "./transcript.ts";

type FeedParts = Pick<WireNeeds, "audience" | "answers" | "parts"> & {
  readonly transcript: Transcript;
  readonly ends: Ends;
  /** Is an answer to go on by itself, that nothing is on record of yet? And for whom: it is theirs to wait for. */
  readonly goingOn: () => { readonly owner: string | undefined } | undefined;
  readonly ownerOf: (turnId: string) => string | undefined;
  /** A turn has ended, and clients know. */
  readonly left: (turnId: string) => void;
};

/** A chunk's number in the next attempt is higher than all in this one. */
const SEQ_PER_ATTEMPT = 1_000_000;

/** Turns that clients wait for. */
const FOR_CLIENTS = ["ws-chat", "auto-continuation"];

/** What turns do, as clients see it: every turn, whatever started it. */
export class TurnFeed implements TurnAudience {
  readonly handshake: Handshake;
  readonly #parts: FeedParts;
  /** The conversation is being cleared: nobody is shown it any more. */
  #clearing = 0;
  #live: LiveAnswer | undefined;
  #failed: LiveAnswer | undefined;

  constructor(parts: FeedParts) {
    this.#parts = parts;
    const { audience, ends, ownerOf } = parts;
    this.handshake = new Handshake({
      audience,
      ends,
      ownerOf,
      live: () => this.#live,
      failed: () => this.#failed,
      expected: (connection) => this.expected(connection.id),
    });
  }

  begins(claimed: ClaimedTurn): AnswerListener {
    const { audience, answers } = this.#parts;
    const { submitted, ordinal, attempts } = claimed.turn;
    const { continuation = false, origin, trigger } = submitted;
    const turn = { id: claimed.turnId, continuation, firstSeq: (attempts - 1) * SEQ_PER_ATTEMPT };
    const kept = FOR_CLIENTS.includes(trigger) || !audience.isEmpty;
    const live = new LiveAnswer(turn, {
      audience,
      keeper: kept ? answers.keep({ ordinal, epoch: claimed.epoch }) : undefined,
      show: shownChunks({ continuation, structured: origin?.schema !== undefined }),
    });
    this.#live = live;
    // The client that sent a request has its messages; of all other turns nobody has them.
    if (trigger !== "ws-chat" && !continuation) this.tellTranscript();
    this.handshake.began(live);
    return live;
  }

  /** A turn has ended, its answer is stored. Clients hear of it before any hook. */
  turnLeft(turnId: string, run: TurnRun): void {
    try {
      this.#left(turnId, run);
    } catch (error) {
      report("Clients could not be told of the end of a turn", error);
    }
  }

  #left(turnId: string, { thrown }: TurnRun): void {
    const { audience, ends, left, parts } = this.#parts;
    const { turn } = parts().engine.store.justWritten(turnStream(turnId));
    const live = this.#live?.turn.id === turnId ? this.#live : undefined;
    if (live) this.#live = undefined;
    if (turn) ends.ended(turn);
    this.#failed = turn?.status === "error" ? live : undefined;
    if (!audience.isEmpty) {
      this.tellTranscript();
      const isOfAnswer = live !== undefined && thrown === undefined;
      // Who has not asked for the answer yet gets its end when it does.
      for (const frame of ends.framesOf(turnId, isOfAnswer)) audience.stream(frame, turnId);
    }
    left(turnId);
    this.settle();
  }

  /** A client answered a call of the answer that streams. */
  answered(part: MessagePart, toolCallId: string): void {
    this.#parts.parts().live.update?.(part, toolCallId);
    this.#live?.answered(part, toolCallId);
  }

  /** Those who were told to wait, and have nothing to wait for any more, are told so. */
  settle(): void {
    if (this.handshake.hasParked && this.expected() === undefined) this.handshake.cancelled();
  }

  tellTranscript(except?: string): void {
    const { audience, transcript } = this.#parts;
    if (!audience.isEmpty && this.#clearing === 0) audience.tell(transcriptFrame(transcript.messages()), except);
  }

  async whileClearing<T>(clear: () => Promise<T>): Promise<T> {
    this.#clearing += 1;
    try {
      return await clear();
    } finally {
      this.#clearing -= 1;
    }
  }

  /**
   * A turn that clients wait for, and that has no answer yet; `true`: one that is not on record yet.
   *
   * @param connectionId - Who asks; without it, for anybody.
   */
  expected(connectionId?: string): string | true | undefined {
    const going = this.#parts.goingOn();
    if (going && this.#isFor(going.owner, connectionId)) return true;
    const { engine } = this.#parts.parts();
    const next = engine.queue
      .all()
      .find(({ trigger, turnId }) => FOR_CLIENTS.includes(trigger) && turnId !== this.#live?.turn.id);
    const turn = next && engine.store.turn(turnStream(next.turnId)).turn;
    return turn && !isTerminal(turn.status) ? next.turnId : undefined;
  }

  #isFor(owner: string | undefined, connectionId: string | undefined): boolean {
    if (owner === undefined || connectionId === undefined || owner === connectionId) return true;
    return !this.#parts.audience.has(owner);
  }
}
