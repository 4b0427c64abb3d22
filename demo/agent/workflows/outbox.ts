// What the outbox still has to tell, or gave up telling.
import type { Think } from "../../../src/index.ts";
import type { NotificationView } from "./view.ts";

export async function openNotifications(
  agent: Pick<Think, "listNotifications">,
  workflowId?: string,
): Promise<NotificationView[]> {
  const notifications = await agent.listNotifications();
  return notifications.filter((one) => workflowId === undefined || one.workflowId === workflowId);
}
