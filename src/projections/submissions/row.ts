import type { TerminalStatus } from "../../events/index.ts";

/**
 * One submission: what was accepted, and how it ended. While it lives, its state is in the queue; this
 * row is written twice in its life.
 */
export type SubmissionRow = {
  /** Position of the acceptance: FIFO order, listing order and key in one. */
  ordinal: number;
  submissionId: string;
  idempotencyKey: string | null;
  createdAt: number;
  /** Digest of the messages. */
  payload: string | null;
  /** Digest of the metadata. */
  metadata: string | null;
  /** Null while it lives. */
  status: TerminalStatus | null;
  error: string | null;
  startedAt: number | null;
  completedAt: number | null;
  messageId: string | null;
};
