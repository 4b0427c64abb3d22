import type { UIMessage } from "ai";
import { recover } from "../../commands/index.ts";
import { turnStream } from "../../events/index.ts";
import type { QueueRow } from "../../projections/index.ts";
import { ENGINE } from "../cause.ts";
import type { Dispatcher } from "../dispatcher.ts";
import type { AnswerStreams, Conversation, InterruptedAnswer } from "../ports.ts";
import type { Store } from "../store.ts";
import { openCalls, withUnknownOutcomes } from "../unknown-outcomes.ts";
import { writeAlongside } from "../write-alongside.ts";
import type { TurnInputs } from "./turn-inputs.ts";

type InterruptedParts = {
  readonly store: Store;
  readonly dispatcher: Dispatcher;
  readonly conversation: Conversation;
  readonly inputs: TurnInputs;
  readonly answers: AnswerStreams;
};

/** Interrupted attempts after which a turn is given up. */
const MAX_ATTEMPTS = 5;

/** Turns whose attempt was cut off: back to their place, or at their end with what is left of them. */
export class Interrupted {
  readonly #parts: InterruptedParts;

  constructor(parts: InterruptedParts) {
    this.#parts = parts;
  }

  /** `false` when the decider refused. */
  async deal(row: QueueRow): Promise<boolean> {
    const { answers, conversation, dispatcher, inputs, store } = this.#parts;
    const stream = turnStream(row.turnId);
    const { turn } = store.turn(stream);
    const kept = turn && (await answers.interrupted(turn));
    const state = store.turn(stream);
    const repeatable = state.turn !== undefined && inputs.canRead(state.turn);
    const command = { epoch: row.epoch, maxAttempts: MAX_ATTEMPTS, repeatable };
    const decision = recover({ ...command, ...(kept?.message && { messageId: kept.message.id }) }, state);
    if (decision.kind === "refuse") return false;
    // What was answered is only kept when the turn is not tried again.
    const isGivenUp = decision.appends.some(({ events }) => events.some(({ type }) => type === "TurnFailed"));
    const messages = isGivenUp ? this.#left(stream, kept) : [];
    const cause = { actor: ENGINE, causationId: `event:${row.ordinal}` };
    return writeAlongside(conversation, messages, conversation.leafId(), ({ write, committed }) => {
      const alongside = (): void => {
        write();
        kept?.discard();
      };
      dispatcher.record(decision.appends, cause, alongside, committed);
      return true;
    });
  }

  /** What an attempt that is given up leaves: its answer, what its tools did, and what they may have done. */
  #left(stream: string, kept: InterruptedAnswer | undefined): UIMessage[] {
    const { conversation, store } = this.#parts;
    const changed = new Map((kept?.changed(conversation.messages()) ?? []).map((message) => [message.id, message]));
    const path = conversation.messages().map((message) => changed.get(message.id) ?? message);
    for (const message of withUnknownOutcomes(path, openCalls(store, stream))) changed.set(message.id, message);
    return [...changed.values(), ...(kept?.message ? [kept.message] : [])];
  }
}
