/** One notification to a workflow that waits for a turn. */
export type OutboxRow = {
  notificationId: string;
  /** The stream its events are on. */
  stream: string;
  turnId: string;
  workflowName: string;
  workflowId: string;
  eventType: string;
  status: "due" | "delivered" | "parked";
  /** Deliveries tried. */
  attempts: number;
  /** Epoch milliseconds; null when nothing is to be done. */
  dueAt: number | null;
  failingSince: number | null;
  error: string | null;
};
