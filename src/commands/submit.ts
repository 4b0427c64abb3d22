import type { EventData, ThinkEvent } from "../events/index.ts";
import { type Decision, record, refuse } from "./decision.ts";
import type { Turn, TurnState } from "./turn-state.ts";

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
  const { byId, byKey } = state;
  if (byId.turn && byKey?.turn && byId.stream !== byKey.stream) return refuse("conflict");
  if (byId.turn) return retryById(command, state, byId, byId.turn);
  if (byKey?.turn) return retryByKey(command, state, byKey, byKey.turn.submitted.turnId, byKey.turn.submitted.payload);

  const tombstone = byKey?.tombstone;
  if (byKey && tombstone && (tombstone.expiresAt === undefined || tombstone.expiresAt > command.now)) {
    return retryByKey(command, state, byKey, tombstone.submissionId, tombstone.payload);
  }
  return accept(command, byId, byKey);
}

function accept(command: Submit, byId: TurnState, expiredKey: TurnState | undefined): Decision<never> {
  const submitted: ThinkEvent = { type: "TurnSubmitted", data: command.turn };
  const open = { stream: byId.stream, expectedVersion: byId.version, events: [submitted] };
  if (!expiredKey?.tombstone) return record(open);

  const { idempotencyKey } = expiredKey.tombstone;
  const freed: ThinkEvent = { type: "TombstoneExpired", data: { idempotencyKey } };
  if (expiredKey.stream === byId.stream) return record({ ...open, events: [freed, submitted] });
  return record({ stream: expiredKey.stream, expectedVersion: expiredKey.version, events: [freed] }, open);
}

function retryById(command: Submit, state: SubmitState, match: TurnState, turn: Turn): Decision<SubmitRefusal> {
  const key = command.turn.idempotencyKey;
  if (key === undefined || key === turn.idempotencyKey) return retry(command, state, match, turn.submitted.payload, []);
  if (turn.idempotencyKey !== undefined) return refuse("conflict");
  const bound: ThinkEvent = { type: "KeyBound", data: { idempotencyKey: key } };
  return retry(command, state, match, turn.submitted.payload, [bound]);
}

function retryByKey(
  command: Submit,
  state: SubmitState,
  match: TurnState,
  turnId: string,
  payload: string | undefined,
): Decision<SubmitRefusal> {
  if (command.idGiven && command.turn.turnId !== turnId) return refuse("conflict");
  return retry(command, state, match, payload, []);
}

/** A true retry adds nothing of its own; one with other messages leaves a trace, or is refused. */
function retry(
  command: Submit,
  state: SubmitState,
  match: TurnState,
  payload: string | undefined,
  events: readonly ThinkEvent[],
): Decision<SubmitRefusal> {
  const same = state.samePayload(payload);
  if (!same && command.strict) return refuse("payload-mismatch");
  const trace: ThinkEvent[] = same
    ? []
    : [{ type: "RetryMismatched", data: { messageCount: command.turn.messageIds.length } }];
  const all = [...events, ...trace];
  return all.length === 0 ? record() : record({ stream: match.stream, expectedVersion: match.version, events: all });
}
