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

const queued = ({ at, data }: Extract<KnownEvent, { type: "NotificationQueued" }>): OutboxRow => ({
  ...data,
  attempts: 0,
  dueAt: at,
  failingSince: null,
  error: null,
});

function changed(row: OutboxRow, event: KnownEvent): OutboxRow | null {
  switch (event.type) {
    case "NotificationDelivered":
    case "NotificationParked":
      return null;
    case "NotificationFailed":
      return {
        ...row,
        attempts: event.data.attempt,
        dueAt: event.data.retryAt,
        failingSince: row.failingSince ?? event.at,
        error: event.data.error,
      };
    default:
      return row;
  }
}
