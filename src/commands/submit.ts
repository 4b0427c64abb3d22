import type { Append, EventData, ThinkEvent } from "../events/index.ts";
import { type Decision, record, refuse } from "./decision.ts";
import type { TurnState } from "./turn-state.ts";

/** Durable acceptance of a turn, idempotent by id and by key. */
export type Submit = {
  readonly turn: EventData<"TurnSubmitted">;
  /** Did the caller choose the id? A generated one cannot be in conflict with a known key. */
  readonly idGiven: boolean;
  /** Refuse, instead of answering with the first record, when the messages differ. */
  readonly strict: boolean;
  /** Epoch milliseconds, to judge whether a tombstone is over. */
  readonly now: number;
};

/** What is stored under the command's id and under its key. */
export type SubmitState = {
  readonly byId: TurnState;
  readonly byKey?: TurnState;
  /** Are the submitted messages those with this stored digest? Asked only when there is a match. */
  readonly samePayload: (stored: string | undefined) => boolean;
};

export type SubmitRefusal = "conflict" | "payload-mismatch";

export function submit(command: Submit, state: SubmitState): Decision<SubmitRefusal> {
  const byId = known(state.byId, command.now);
  const byKey = known(state.byKey, command.now);
  if (byId) return retryById(command, state, byId, byKey);
  if (byKey) return retryByKey(command, state, byKey);

  const submitted: ThinkEvent = { type: "TurnSubmitted", data: command.turn };
  return record(...freeKey(state), ...append(state.byId, [...expired(state.byId), submitted]));
}

/** A submission that answers retries: it is in the ledger, or its tombstone is not over. */
type Known = {
  readonly state: TurnState;
  readonly turnId: string;
  readonly idempotencyKey: string | undefined;
  readonly payload: string | undefined;
};

function known(state: TurnState | undefined, now: number): Known | undefined {
  if (state?.turn) {
    const { submitted, idempotencyKey } = state.turn;
    return { state, turnId: submitted.turnId, idempotencyKey, payload: submitted.payload };
  }
  if (!state?.tombstone) return undefined;
  const { submissionId: turnId, idempotencyKey, payload, expiresAt } = state.tombstone;
  return expiresAt === undefined || expiresAt > now ? { state, turnId, idempotencyKey, payload } : undefined;
}

function retryById(
  command: Submit,
  state: SubmitState,
  byId: Known,
  byKey: Known | undefined,
): Decision<SubmitRefusal> {
  const key = command.turn.idempotencyKey;
  if (byKey && byKey.state.stream !== byId.state.stream) return refuse("conflict");
  if (key === undefined || key === byId.idempotencyKey) return retry(command, state, byId);
  if (byId.idempotencyKey !== undefined) return refuse("conflict");
  const bound: ThinkEvent = { type: "KeyBound", data: { idempotencyKey: key } };
  return retry(command, state, byId, [bound]);
}

function retryByKey(command: Submit, state: SubmitState, byKey: Known): Decision<SubmitRefusal> {
  if (command.idGiven && command.turn.turnId !== byKey.turnId) return refuse("conflict");
  return retry(command, state, byKey);
}

/** A true retry adds nothing of its own; one with other messages leaves a trace, or is refused. */
function retry(
  command: Submit,
  state: SubmitState,
  match: Known,
  bound: readonly ThinkEvent[] = [],
): Decision<SubmitRefusal> {
  const same = state.samePayload(match.payload);
  if (!same && command.strict) return refuse("payload-mismatch");
  // The first one tells the tale: a caller who repeats it must not make the log grow.
  const traced = same || match.state.mismatched;
  const trace: ThinkEvent[] = traced
    ? []
    : [{ type: "RetryMismatched", data: { messageCount: command.turn.messageIds.length } }];
  const freed = bound.length > 0 ? freeKey(state) : [];
  return record(...freed, ...append(match.state, [...bound, ...trace]));
}

/** The command takes a key: a tombstone that still holds it, though its time is over, ends on record. */
const freeKey = ({ byId, byKey }: SubmitState): Append[] =>
  byKey && byKey.stream !== byId.stream ? append(byKey, expired(byKey)) : [];

const expired = ({ tombstone }: TurnState): ThinkEvent[] =>
  tombstone ? [{ type: "TombstoneExpired", data: { idempotencyKey: tombstone.idempotencyKey } }] : [];

const append = ({ stream, version }: TurnState, events: readonly ThinkEvent[]): Append[] =>
  events.length === 0 ? [] : [{ stream, expectedVersion: version, events }];
