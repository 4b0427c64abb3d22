import type { KnownEvent } from "../../events/index.ts";
import type { Reducer } from "../projection.ts";
import type { QueueRow } from "./row.ts";

export const queueReducer: Reducer<QueueRow, number> = {
  key: (event) => (TYPES.has(event.type) ? event.ordinal : undefined),
  reduce: (row, event) => {
    if (event.type === "TurnSubmitted") return waiting(event);
    return row === undefined ? null : changed(row, event);
  },
};

const TYPES: ReadonlySet<KnownEvent["type"]> = new Set([
  "TurnSubmitted",
  "TurnClaimed",
  "MessagesApplied",
  "TurnRequeued",
  "TurnCompleted",
  "TurnFailed",
  "TurnAborted",
  "TurnSkipped",
]);

const waiting = ({ ordinal, data }: Extract<KnownEvent, { type: "TurnSubmitted" }>): QueueRow => ({
  ordinal,
  turnId: data.turnId,
  trigger: data.trigger,
  generation: data.generation,
  status: "pending",
  attempt: 0,
  epoch: 0,
  startedAt: null,
  applied: 0,
});

function changed(row: QueueRow, event: KnownEvent): QueueRow | null {
  switch (event.type) {
    case "TurnClaimed":
      return {
        ...row,
        status: "running",
        attempt: event.data.attempt,
        epoch: event.data.epoch,
        startedAt: event.at,
      };
    case "MessagesApplied":
      return { ...row, applied: 1 };
    case "TurnRequeued":
      return { ...row, status: "pending", startedAt: null };
    case "TurnCompleted":
    case "TurnFailed":
    case "TurnAborted":
    case "TurnSkipped":
      return null;
    default:
      return row;
  }
}
