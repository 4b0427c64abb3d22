import type { OutboxRow, ParkedRow } from "../../projections/index.ts";
import type { OutboxQueries } from "../../queries/index.ts";
import type { NotificationState, ThinkNotification } from "../../types.ts";

/** What is due, soonest first; then what was given up. */
export function listNotifications(
  queries: OutboxQueries,
  state: NotificationState | undefined,
  limit: number,
): ThinkNotification[] {
  const due = state === "parked" ? [] : queries.due(limit).map(dueOne);
  const parked = state === "due" ? [] : queries.parked(limit).map(parkedOne);
  return [...due, ...parked].slice(0, limit);
}

const dueOne = (row: OutboxRow): ThinkNotification => ({
  ...target(row),
  state: "due",
  dueAt: row.dueAt,
  ...(row.error !== null && { error: row.error }),
});

const parkedOne = (row: ParkedRow): ThinkNotification => ({ ...target(row), state: "parked", error: row.reason });

const target = ({ notificationId, turnId, workflowName, workflowId, eventType, attempts }: OutboxRow | ParkedRow) => ({
  notificationId,
  submissionId: turnId,
  workflowName,
  workflowId,
  eventType,
  attempts,
});
