import type { TerminalStatus } from "../events/index.ts";
import { type Decision, record, refuse } from "./decision.ts";
import { isTerminal, type TurnState } from "./turn-state.ts";

/** Take a terminal turn out of the ledger. Its stream stays. */
export type DeleteTurn = {
  /** Epoch milliseconds. */
  readonly now: number;
  /** How long the key goes on answering retries: not at all, for ever, or so many milliseconds. */
  readonly idempotencyRetention?: "forever" | number;
};

export function deleteTurn(command: DeleteTurn, state: TurnState): Decision<"not-found" | "active"> {
  const { turn } = state;
  if (!turn) return refuse("not-found");
  if (!isTerminal(turn.status)) return refuse("active");
  const tombstone = keepKey(command, turn, turn.status);
  return record({
    stream: state.stream,
    expectedVersion: state.version,
    events: [{ type: "TurnDeleted", data: tombstone ? { tombstone } : {} }],
  });
}

function keepKey(
  { idempotencyRetention, now }: DeleteTurn,
  turn: NonNullable<TurnState["turn"]>,
  status: TerminalStatus,
) {
  if (turn.idempotencyKey === undefined || idempotencyRetention === undefined) return undefined;
  return {
    idempotencyKey: turn.idempotencyKey,
    submissionId: turn.submitted.turnId,
    status,
    createdAt: turn.createdAt,
    completedAt: turn.completedAt ?? now,
    ...(turn.submitted.payload !== undefined && { payload: turn.submitted.payload }),
    ...(idempotencyRetention !== "forever" && { expiresAt: now + idempotencyRetention }),
  };
}
