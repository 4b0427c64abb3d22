/** One notification that is to be delivered to a workflow. Delivered or parked, it is no row any more. */
export type OutboxRow = {
  notificationId: string;
  turnId: string;
  /** Place in the lane of the turn that it tells of. */
  ordinal: number;
  workflowName: string;
  workflowId: string;
  eventType: string;
  /** Deliveries tried. */
  attempts: number;
  /** Epoch milliseconds of the next try. */
  dueAt: number;
  /** Epoch milliseconds of the first failure. */
  failingSince: number | null;
  error: string | null;
};
