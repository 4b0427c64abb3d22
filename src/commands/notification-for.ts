import type { ThinkEvent } from "../events/index.ts";
import type { Turn } from "./turn-state.ts";

/** The outbox entry that goes with a terminal event, when a workflow waits for the turn. */
export function notificationFor(turn: Turn): readonly ThinkEvent[] {
  const { origin, turnId } = turn.submitted;
  if (origin === undefined) return [];
  const { workflowName, workflowId, eventType } = origin;
  const data = { notificationId: `${turnId}/${turn.ordinal}`, turnId, workflowName, workflowId, eventType };
  return [{ type: "NotificationQueued", data }];
}
