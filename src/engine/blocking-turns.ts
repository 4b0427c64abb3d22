import { report } from "./console.ts";
import { isTerminal, noTurn, submit } from "../commands/index.ts";
import { type EventData, turnStream } from "../events/index.ts";
import { serializeMessages } from "../input/messages.ts";
import type { MessagesInput, SaveMessagesResult } from "../types.ts";
import type { Callers } from "./callers.ts";
import type { Cause } from "./cause.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { Lane } from "./lane/lane.ts";
import type { TurnInputs } from "./lane/turn-inputs.ts";
import type { Clock, Ids, TurnRun } from "./ports.ts";
import type { Store } from "./store.ts";

export type BlockingParts = {
  readonly store: Store;
  readonly dispatcher: Dispatcher;
  readonly lane: Lane;
  readonly inputs: TurnInputs;
  readonly callers: Callers;
  readonly clock: Clock;
  readonly ids: Ids;
};

/** Turns whose caller waits for the end. They are on record like all others, and take their place in the lane. */
export class BlockingTurns {
  readonly #parts: BlockingParts;

  constructor(parts: BlockingParts) {
    this.#parts = parts;
  }

  /** @throws what the agent's own code threw before the model was called. */
  async run(input: MessagesInput, signal: AbortSignal | undefined, cause: Cause): Promise<SaveMessagesResult> {
    const { lane, ids } = this.#parts;
    const turnId = ids.uuid();
    const ended = await this.#admit(turnId, input, signal, cause);
    // The alarm is for the case that this object stops; while it lives it does not wait for it.
    lane.wake().catch((error: unknown) => report("The lane stopped; its alarm will wake it again", error));
    const { thrown } = await ended.run;
    if (thrown !== undefined) throw thrown;
    return this.#result(turnId);
  }

  /** The promise of the end comes in an object: a bare one would be awaited together with the admission. */
  async #admit(
    turnId: string,
    input: MessagesInput,
    signal: AbortSignal | undefined,
    cause: Cause,
  ): Promise<{ run: Promise<TurnRun> }> {
    const { store, dispatcher, inputs, callers, ids, clock } = this.#parts;
    const make = typeof input === "function" ? input : undefined;
    const messages = typeof input === "function" ? undefined : input;
    const payload = messages && store.payloads.prepare(serializeMessages(messages, "saveMessages"), ids.salt());
    const turn: EventData<"TurnSubmitted"> = {
      turnId,
      trigger: "programmatic",
      generation: store.lane().generation,
      messageIds: messages?.map(({ id }) => id) ?? [],
      ...(payload && { payload: payload.digest }),
    };
    const command = { turn, idGiven: false, strict: false, now: clock.now() };
    const decision = submit(command, { byId: noTurn(turnStream(turnId)), samePayload: () => true });
    if (decision.kind === "refuse") throw new Error(`A fresh turn was refused: ${decision.reason}`);

    inputs.hold(turnId, { ...(make && { make }), ...(signal && { signal }) });
    const run = callers.wait(turnId);
    await dispatcher.record(decision.appends, cause, () => payload?.write()).effects;
    return { run };
  }

  #result(turnId: string): SaveMessagesResult {
    const { turn } = this.#parts.store.turn(turnStream(turnId));
    if (!turn || !isTerminal(turn.status)) throw new Error(`Turn ${turnId} was released before it ended`);
    const error = turn.status === "error" ? turn.error : undefined;
    return { requestId: turnId, status: turn.status, ...(error !== undefined && { error }) };
  }
}
