// What the outbox still has to tell, or gave up telling. (Think's `listNotifications` comes with the delivery.)
import type { NotificationView } from "./view.ts";

export function openNotifications(_agent: object, _workflowId?: string): Promise<NotificationView[]> {
  return Promise.resolve([]);
}
