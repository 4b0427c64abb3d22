import type { UIMessage } from "ai";
import { isTerminal, noTurn, submit } from "../commands/index.ts";
import { type EventData, type TerminalStatus, turnStream } from "../events/index.ts";
import { checkMessageIds, serializeMessages } from "../input/messages.ts";
import type { TurnTrigger } from "../types.ts";
import type { Callers } from "./callers.ts";
import type { Cause } from "./cause.ts";
import { report } from "./console.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { claimAtOnce } from "./lane/claim-at-once.ts";
import type { Lane } from "./lane/lane.ts";
import type { HeldInput, TurnInputs } from "./lane/turn-inputs.ts";
import type { ClaimedTurn, Clock, Conversation, Ids, TurnRun } from "./ports.ts";
import { responseHookScope } from "./hook-scope.ts";
import type { Store } from "./store.ts";

type BlockingParts = {
  readonly store: Store;
  readonly dispatcher: Dispatcher;
  readonly lane: Lane;
  readonly inputs: TurnInputs;
  readonly callers: Callers;
  readonly conversation: Conversation;
  readonly clock: Clock;
  readonly ids: Ids;
};

/** A turn whose caller waits for its end. */
export type BlockingRequest = {
  readonly requestId: string;
  readonly trigger: TurnTrigger;
  /** Known messages; absent for a continuation, and when `held.make` makes them. */
  readonly messages?: readonly UIMessage[];
  readonly continuation?: boolean;
  /** JSON of the caller's own data. */
  readonly body?: string | undefined;
  readonly channel?: string | undefined;
  /** Turns that wait for this one. */
  readonly calledFrom?: readonly string[] | undefined;
  readonly held: HeldInput;
};

export type BlockingEnd = {
  readonly status: TerminalStatus;
  /** Why it ended so, where there is a reason. */
  readonly error?: string;
  readonly messageId?: string;
  readonly output?: unknown;
};

/** A turn on record: when its effects are done, when it has run, and its claim if the lane was at rest. */
type Admitted = {
  readonly run: Promise<TurnRun>;
  readonly accepted: Promise<void>;
  readonly claimed: ClaimedTurn | undefined;
};

/** Turns whose caller waits. They are on record like all others, and take their place in the lane. */
export class BlockingTurns {
  readonly #parts: BlockingParts;

  constructor(parts: BlockingParts) {
    this.#parts = parts;
  }

  /** @throws what the agent's own code threw before the model was called. */
  async run(request: BlockingRequest, cause: Cause): Promise<BlockingEnd> {
    const { lane } = this.#parts;
    const { run, accepted, claimed } = this.#admit(request, cause);
    // The alarm is for the case that this object stops; while it lives it does not wait for it.
    if (claimed) watch(lane.begin(claimed));
    // The turn is on record, so it runs, whatever could not be made ready for the case that this object stops.
    await accepted.catch((error: unknown) => report("A turn was accepted, but its alarm could not be set", error));
    if (!claimed) watch(lane.wake());
    const { thrown, output } = await run;
    if (thrown !== undefined) throw thrown;
    return this.#end(request.requestId, output);
  }

  #admit(request: BlockingRequest, cause: Cause): Admitted {
    const { store, dispatcher, lane, inputs, callers, ids, clock } = this.#parts;
    const { requestId, messages, held } = request;
    const content = messages && serializeMessages(messages, "a turn");
    if (messages) checkMessageIds(messages);
    const payload = content === undefined ? undefined : store.payloads.prepare(content, ids.salt());
    const body = request.body === undefined ? undefined : store.payloads.prepare(request.body, ids.salt());
    const turn: EventData<"TurnSubmitted"> = {
      turnId: requestId,
      trigger: request.trigger,
      generation: store.lane().generation,
      messageIds: messages?.map(({ id }) => id) ?? [],
      ...(payload && { payload: payload.digest }),
      ...(body && { body: body.digest }),
      ...(request.channel !== undefined && { channel: request.channel }),
      ...(request.calledFrom && { calledFrom: [...request.calledFrom] }),
      ...(request.continuation && { continuation: true }),
    };
    const now = clock.now();
    const command = { turn, idGiven: false, strict: false, now };
    const decision = submit(command, { byId: noTurn(turnStream(requestId)), samePayload: () => true });
    if (decision.kind === "refuse") throw new Error(`A fresh turn was refused: ${decision.reason}`);

    inputs.hold(requestId, held);
    const run = callers.wait(requestId, responseHookScope.isInside(), held.signal);
    const write = (): void => {
      payload?.write();
      body?.write();
    };
    const { appends } = decision;
    const atOnce = lane.atRest ? claimAtOnce(this.#parts, { turn, appends, cause, now, content, write }) : undefined;
    const { effects } = atOnce?.recorded ?? dispatcher.record(appends, cause, write);
    return { run, accepted: effects, claimed: atOnce?.claimed };
  }

  #end(requestId: string, output: unknown): BlockingEnd {
    const { turn } = this.#parts.store.justWritten(turnStream(requestId));
    if (!turn || !isTerminal(turn.status)) throw new Error(`Turn ${requestId} was released before it ended`);
    return {
      status: turn.status,
      ...(turn.error !== undefined && { error: turn.error }),
      ...(turn.messageId !== undefined && { messageId: turn.messageId }),
      ...(output !== undefined && { output }),
    };
  }
}

const watch = (drain: Promise<void>): void => {
  drain.catch((error: unknown) => report("The lane stopped; its alarm will wake it again", error));
};
