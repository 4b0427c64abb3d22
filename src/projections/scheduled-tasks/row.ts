/** A task that the agent does by the clock, as it is declared now, and what became of its latest slot. */
export type ScheduledTaskRow = {
  taskId: string;
  action: "prompt" | "handler" | null;
  schedule: string | null;
  timeZone: string | null;
  scheduleKey: string | null;
  fingerprint: string | null;
  anchor: number | null;
  /** Why the declaration cannot be used; then nothing is next. */
  problem: string | null;
  /** The slot that waits, or is being run. */
  next: number | null;
  /** How often the handler was called for it. */
  starts: number;
  lastSlot: number | null;
  /** When its outcome went on record. */
  lastAt: number | null;
  lastOutcome: "fired" | "failed" | null;
  lastError: string | null;
  lastSubmissionId: string | null;
};
