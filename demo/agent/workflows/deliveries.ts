// Which outcomes were told to a workflow, from the log: the outbox itself keeps only what is still to do.
import type { AuditEvent } from "../../../src/index.ts";
import type { NotificationView } from "./view.ts";

type Facts = { notificationId: string; turnId: string; workflowId: string; attempt: number };

export function deliveredIn(events: AuditEvent[]): NotificationView[] {
  const queued = new Map<string, Facts>();
  return events.flatMap(({ type, data }): NotificationView[] => {
    const facts = data as Facts;
    if (type === "NotificationQueued") queued.set(facts.notificationId, facts);
    const about = queued.get(facts.notificationId);
    if (type !== "NotificationDelivered" || !about) return [];
    const { notificationId, turnId: submissionId, workflowId } = about;
    return [{ notificationId, submissionId, workflowId, state: "delivered", attempts: facts.attempt }];
  });
}
