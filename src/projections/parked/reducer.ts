import { type KnownEvent, notificationIdOf } from "../../events/index.ts";
import type { Reducer } from "../projection.ts";
import type { ParkedRow } from "./row.ts";

/** Replayed, a notification is due again; with its submission it goes for good. */
export const parkedReducer: Reducer<ParkedRow, string> = {
  key: (event) => keyOf(event),
  reduce: (row, event) => {
    if (event.type === "NotificationParked") return event.data;
    return event.type === "NotificationQueued" || event.type === "TurnDeleted" ? null : (row ?? null);
  },
};

function keyOf(event: KnownEvent): string | undefined {
  if (event.type === "NotificationParked" || event.type === "NotificationQueued") return event.data.notificationId;
  return event.type === "TurnDeleted" ? notificationIdOf(event.stream, event.ordinal) : undefined;
}
