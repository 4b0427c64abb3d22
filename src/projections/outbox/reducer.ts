import type { KnownEvent } from "../../events/index.ts";
import type { Reducer } from "../projection.ts";
import type { OutboxRow } from "./row.ts";

export const outboxReducer: Reducer<OutboxRow, string> = {
  key: (event) => ("notificationId" in event.data ? event.data.notificationId : undefined),
  reduce: (row, event) => {
    if (event.type === "NotificationQueued") return queued(event);
    return row === undefined ? null : changed(row, event);
  },
};

const queued = ({ stream, at, data }: Extract<KnownEvent, { type: "NotificationQueued" }>): OutboxRow => ({
  notificationId: data.notificationId,
  stream,
  turnId: data.turnId,
  workflowName: data.workflowName,
  workflowId: data.workflowId,
  eventType: data.eventType,
  status: "due",
  attempts: 0,
  dueAt: at,
  failingSince: null,
  error: null,
});

function changed(row: OutboxRow, event: KnownEvent): OutboxRow {
  switch (event.type) {
    case "NotificationDelivered":
      return { ...row, status: "delivered", attempts: event.data.attempt, dueAt: null, error: null };
    case "NotificationFailed":
      return {
        ...row,
        attempts: event.data.attempt,
        dueAt: event.data.retryAt,
        failingSince: row.failingSince ?? event.at,
        error: event.data.error,
      };
    case "NotificationParked":
      return { ...row, status: "parked", dueAt: null, error: event.data.reason };
    default:
      return row;
  }
}
