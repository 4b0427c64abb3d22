import type { UIMessage } from "ai";
import { noTurn, skip, submit } from "../commands/index.ts";
import { type Append, type EventData, turnStream } from "../events/index.ts";
import { checkMessageIds, serializeMessages } from "../input/messages.ts";
import type { PreparedPayload } from "../log/index.ts";
import type { TurnTrigger } from "../types.ts";
import type { Cause } from "./cause.ts";
import { report } from "./console.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { claimAtOnce } from "./lane/claim-at-once.ts";
import type { Lane } from "./lane/lane.ts";
import type { HeldInput, TurnInputs } from "./lane/turn-inputs.ts";
import type { ClaimedTurn, Clock, Conversation, Ids } from "./ports.ts";
import type { Store } from "./store.ts";

export type AdmissionParts = {
  readonly store: Store;
  readonly dispatcher: Dispatcher;
  readonly lane: Lane;
  readonly inputs: TurnInputs;
  readonly conversation: Conversation;
  readonly clock: Clock;
  readonly ids: Ids;
};

/** JSON that is to be stored with the turn, or the digest of what is stored already. */
export type Content = { readonly json: string } | { readonly digest: string };

export const asContent = (json: string | undefined): Content | undefined => (json === undefined ? undefined : { json });

/** A turn that is no submission: it is not in the ledger, and nobody retries it. */
export type TurnRequest = {
  readonly requestId: string;
  readonly trigger: TurnTrigger;
  /** Known messages; absent for a continuation, and when `held.make` makes them. */
  readonly messages?: readonly UIMessage[];
  readonly continuation?: boolean;
  /** The message that it goes on with, where it does so by itself. */
  readonly continues?: string | undefined;
  /** The caller's own data. */
  readonly body?: Content | undefined;
  /** Tools that the client runs. */
  readonly clientTools?: Content | undefined;
  readonly channel?: string | undefined;
  /** Turns that wait for this one. */
  readonly calledFrom?: readonly string[] | undefined;
  /** The stored message that is answered anew, or that the messages come after; `null`: they come first. */
  readonly branchFrom?: string | null | undefined;
  /** Turns that wait, and end here because this one brings their messages. */
  readonly supersedes?: readonly string[];
  readonly held: HeldInput;
};

/** A turn on record: when its effects are done, and its claim if the lane was at rest. */
export type Admitted = {
  readonly turn: EventData<"TurnSubmitted">;
  readonly accepted: Promise<void>;
  readonly claimed: ClaimedTurn | undefined;
};

/** Puts turns that are no submissions on record, and has the lane run them. */
export class Admission {
  readonly #parts: AdmissionParts;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /**
   * One commit: nothing awaits.
   *
   * @throws {ThinkInputError} naming the field, when a message is not acceptable; nothing is stored then.
   */
  admit(request: TurnRequest, cause: Cause): Admitted {
    const { store, dispatcher, lane, inputs, clock } = this.#parts;
    const { requestId, messages, held, supersedes = [] } = request;
    const content = messages && serializeMessages(messages, "a turn");
    if (messages) checkMessageIds(messages);
    const payload = content === undefined ? undefined : this.#prepare({ json: content });
    const body = request.body && this.#prepare(request.body);
    const clientTools = request.clientTools && this.#prepare(request.clientTools);
    const turn: EventData<"TurnSubmitted"> = {
      turnId: requestId,
      trigger: request.trigger,
      generation: store.lane().generation,
      messageIds: messages?.map(({ id }) => id) ?? [],
      ...(payload && { payload: payload.digest }),
      ...(body && { body: body.digest }),
      ...(clientTools && { clientTools: clientTools.digest }),
      ...(request.channel !== undefined && { channel: request.channel }),
      ...(request.calledFrom && { calledFrom: [...request.calledFrom] }),
      ...(request.continuation && { continuation: true }),
      ...(request.continues !== undefined && { continues: request.continues }),
      ...(request.branchFrom !== undefined && { branchFrom: request.branchFrom }),
    };
    const now = clock.now();
    const command = { turn, idGiven: false, strict: false, now };
    const decision = submit(command, { byId: noTurn(turnStream(requestId)), samePayload: () => true });
    if (decision.kind === "refuse") throw new Error(`A fresh turn was refused: ${decision.reason}`);

    inputs.hold(requestId, held);
    const write = (): void => {
      for (const part of [payload, body, clientTools]) part?.write?.();
    };
    const appends = [...supersedes.flatMap((turnId) => this.#superseded(turnId, requestId)), ...decision.appends];
    const canBegin = lane.atRest && held.notBefore === undefined;
    const atOnce = canBegin ? claimAtOnce(this.#parts, { turn, appends, cause, now, content, write }) : undefined;
    const { effects } = atOnce?.recorded ?? dispatcher.record(appends, cause, write);
    return { turn, accepted: effects, claimed: atOnce?.claimed };
  }

  /** Have the lane run it. Resolves when it is sure that it will, also when this object stops. */
  async start({ accepted, claimed }: Admitted): Promise<void> {
    const { lane } = this.#parts;
    // The alarm is for the case that this object stops; while it lives it does not wait for it.
    if (claimed) watch(lane.begin(claimed));
    // The turn is on record, so it runs, whatever could not be made ready for the case that this object stops.
    await accepted.catch((error: unknown) => report("A turn was accepted, but its alarm could not be set", error));
    if (!claimed) watch(lane.wake());
  }

  #prepare(content: Content): { readonly digest: string; readonly write?: PreparedPayload["write"] } {
    if ("digest" in content) return content;
    const { store, ids } = this.#parts;
    return store.payloads.prepare(content.json, ids.salt());
  }

  #superseded(turnId: string, by: string): readonly Append[] {
    const command = { error: `Superseded by request ${by}.`, supersededBy: by };
    const decision = skip(command, this.#parts.store.turn(turnStream(turnId)));
    return decision.kind === "record" ? decision.appends : [];
  }
}

const watch = (drain: Promise<void>): void => {
  drain.catch((error: unknown) => report("The lane stopped; its alarm will wake it again", error));
};
