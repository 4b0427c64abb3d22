import type { Delivery, Ended, Retention, Submission } from "./operations.ts";

/** After this many interrupted attempts a turn is given up. */
export const MAX_ATTEMPTS = 3;

/**
 * What can be done to a lane, and what can be seen of it: once as the product does it, once as a small model
 * says it should be. Each act answers with a word for what came of it. Claims are numbered as they are made.
 */
export type Lane = {
  submit: (submission: Submission) => string;
  /** Claim the head of those that wait. */
  claim: () => string;
  apply: (claim: number) => string;
  tool: (claim: number) => string;
  step: (claim: number) => string;
  settle: (claim: number, status: Ended) => string;
  link: (claim: number) => string;
  recover: (claim: number) => string;
  cancel: (id: string, reason: string | undefined) => string;
  skip: (id: string) => string;
  delete: (id: string, retention: Retention) => string;
  reset: () => string;
  deliver: (notification: number, result: Delivery) => string;
  view: () => View;
};

export type View = {
  /** In order. */
  readonly queue: readonly { id: string; status: string; attempt: number; applied: boolean }[];
  /** In order of acceptance. */
  readonly ledger: readonly {
    id: string;
    key: string | null;
    status: string | null;
    error: string | null;
    messageId: string | null;
    times: readonly (number | null)[];
  }[];
  readonly tombstones: readonly string[];
  /** In order of the ends they tell of. */
  readonly outbox: readonly { id: string; status: string; attempts: number; dueAt: number | null }[];
};

/** The reasons that acts store. */
export const REASONS = {
  skip: "superseded",
  resetSkips: "skipped by reset",
  resetAborts: "aborted by reset",
  fail: "boom",
  race: "raced",
};
