import { type EventData, notificationIdOf, type ThinkEvent, turnStream } from "../events/index.ts";
import type { Turn } from "./turn-state.ts";

/** The outbox entry that goes with a terminal event, when a workflow waits for the turn. */
export function notificationFor(turn: Turn): readonly ThinkEvent[] {
  const { origin, turnId } = turn.submitted;
  if (origin === undefined) return [];
  const { ordinal } = turn;
  const { workflowName, workflowId, eventType } = origin;
  const notificationId = notificationIdOf(turnStream(turnId), ordinal);
  const data: EventData<"NotificationQueued"> = {
    notificationId,
    turnId,
    ordinal,
    workflowName,
    workflowId,
    eventType,
  };
  return [{ type: "NotificationQueued", data }];
}
