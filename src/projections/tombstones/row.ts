/** The key of a deleted submission that still answers retries. */
export type TombstoneRow = {
  idempotencyKey: string;
  /** The stream that holds the outcome. */
  stream: string;
};
