import { isTerminal, type Turn } from "../commands/index.ts";
import { isKnown, type KnownEvent, subjectOf, turnStream } from "../events/index.ts";
import type { Store } from "../engine/store.ts";
import { errorChunkFrame, terminalFrame } from "./outgoing.ts";

/** How many of the newest events are looked at for the last end, after a restart. */
const LOOK_BACK = 100;

/** How turns ended, as clients are told: from the log, so that a late client hears it too. */
export class Ends {
  readonly #store: () => Store;
  /** The turn that failed last, while nothing came after it; `undefined`: not looked yet. */
  #failed: string | null | undefined;

  constructor(store: () => Store) {
    this.#store = store;
  }

  /** The frame that ends this turn for a client; `undefined` when it has not ended, or there is no such turn. */
  frameOf(turnId: string, replay = false): string | undefined {
    const turn = this.#turn(turnId);
    if (!turn || !isTerminal(turn.status)) return undefined;
    const error = turn.status === "error" ? (turn.error ?? "") : undefined;
    return terminalFrame({ ...factsOf(turn), outcome: turn.status, error, replay });
  }

  /**
   * What ends it for those who follow.
   *
   * @param isOfAnswer - It ended with its answer: an error is one of the answer's, and comes before the end.
   */
  framesOf(turnId: string, isOfAnswer: boolean): readonly string[] {
    const turn = this.#turn(turnId);
    if (!turn || !isTerminal(turn.status)) return [];
    const facts = factsOf(turn);
    const { status, error = "" } = turn;
    if (status !== "error") return [terminalFrame({ ...facts, outcome: status })];
    if (!isOfAnswer) return [terminalFrame({ ...facts, outcome: status, error })];
    return [errorChunkFrame({ ...facts, error }), terminalFrame({ ...facts, outcome: status })];
  }

  /** Does it wait or run? */
  isOpen(turnId: string): boolean {
    const turn = this.#turn(turnId);
    return turn !== undefined && !isTerminal(turn.status);
  }

  /** A turn has ended. */
  ended({ status, submitted }: Turn): void {
    if (status === "error") this.#failed = submitted.turnId;
    else if (status !== "skipped") this.#failed = null;
  }

  /** A new request, or a clear: what failed before is over. */
  forget(): void {
    this.#failed = null;
  }

  /** The turn that failed and that nothing has come after: a client that was away is to hear of it. */
  failed(): string | undefined {
    if (this.#failed === undefined) this.#failed = this.#look();
    return this.#failed ?? undefined;
  }

  #turn(turnId: string): Turn | undefined {
    return this.#store().turn(turnStream(turnId)).turn;
  }

  #look(): string | null {
    const { log } = this.#store();
    const head = log.head().position;
    for (let position = head; position > Math.max(0, head - LOOK_BACK); position -= 1) {
      const event = log.at(position);
      const found = event && isKnown(event) ? lastWord(event) : undefined;
      if (found !== undefined) return found;
    }
    return null;
  }
}

function factsOf({ submitted }: Turn) {
  const { turnId, continuation = false, messageIds, branchFrom } = submitted;
  const answered = messageIds.length === 0 && typeof branchFrom === "string" ? [branchFrom] : messageIds;
  return { id: turnId, continuation, messageIds: answered.length > 0 ? answered : undefined };
}

const OVER: readonly KnownEvent["type"][] = ["TurnSubmitted", "TurnCompleted", "TurnAborted", "LaneReset"];

/** The id of a turn that failed; `null`: something else came last; `undefined`: the event says nothing about it. */
function lastWord({ type, stream }: KnownEvent): string | null | undefined {
  if (type === "TurnFailed") return subjectOf(stream);
  return OVER.includes(type) ? null : undefined;
}
