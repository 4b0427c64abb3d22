/** One notification that was given up. It can be replayed. */
export type ParkedRow = {
  notificationId: string;
  turnId: string;
  /** Place in the lane of the turn that it tells of. */
  ordinal: number;
  workflowName: string;
  workflowId: string;
  eventType: string;
  /** Deliveries tried. */
  attempts: number;
  /** Why it was given up. */
  reason: string;
};
