/** One turn of the lane that has not ended: waiting, or the one that runs. */
export type QueueRow = {
  /** Position of the acceptance: the lowest is the head of the lane. */
  ordinal: number;
  turnId: string;
  trigger: string;
  generation: number;
  status: "pending" | "running";
  attempt: number;
  epoch: number;
  startedAt: number | null;
  /** 1 when its messages are in the conversation. */
  applied: number;
};
