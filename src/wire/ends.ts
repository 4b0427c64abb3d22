import { isTerminal, type Turn } from "../commands/index.ts";
import { isKnown, type KnownEvent, turnStream } from "../events/index.ts";
import type { Store } from "../engine/store.ts";
import { terminalFrame } from "./outgoing.ts";

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
    const { turn } = this.#store().turn(turnStream(turnId));
    if (!turn || !isTerminal(turn.status)) return undefined;
    const { messageIds, continuation = false } = turn.submitted;
    const messages = continuation ? undefined : messageIds;
    return terminalFrame({
      id: turnId,
      outcome: turn.status,
      error: turn.error,
      continuation,
      replay,
      messageIds: messages,
    });
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
    this.#failed ??= this.#look();
    return this.#failed ?? undefined;
  }

  #look(): string | null {
    const { log } = this.#store();
    const head = log.head().position;
    for (let position = head; position > Math.max(0, head - LOOK_BACK); position -= 1) {
      const event = log.at(position);
      if (!event || !isKnown(event)) continue;
      const found = lastWord(event);
      if (found !== undefined) return found;
    }
    return null;
  }
}

/** The id of a turn that failed; `null`: something else came last; `undefined`: the event says nothing about it. */
function lastWord({ type, stream }: KnownEvent): string | null | undefined {
  if (type === "TurnFailed") return stream.slice(turnStream("").length);
  const over = ["TurnSubmitted", "TurnCompleted", "TurnAborted", "LaneReset"];
  return over.includes(type) ? null : undefined;
}
