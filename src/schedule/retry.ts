import { ThinkInputError } from "../errors.ts";
import type { ScheduledTaskRetry } from "./types.ts";

export type RetryPolicy = {
  readonly maxAttempts: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
};

const DEFAULTS: RetryPolicy = { maxAttempts: 3, baseDelayMs: 100, maxDelayMs: 3000 };

/** The options with what they leave out. They are written in code, so that a wrong one is told at the declaration. */
export function checkRetry(retry: ScheduledTaskRetry | null | undefined): RetryPolicy {
  if (typeof (retry ?? {}) !== "object") throw fault("retry", "must be an object");
  const policy: RetryPolicy = {
    maxAttempts: retry?.maxAttempts ?? DEFAULTS.maxAttempts,
    baseDelayMs: retry?.baseDelayMs ?? DEFAULTS.baseDelayMs,
    maxDelayMs: retry?.maxDelayMs ?? DEFAULTS.maxDelayMs,
  };
  const { maxAttempts, baseDelayMs, maxDelayMs } = policy;
  if (!(Number.isFinite(maxAttempts) && maxAttempts >= 1)) throw fault("retry.maxAttempts", "must be >= 1");
  if (!Number.isInteger(maxAttempts)) throw fault("retry.maxAttempts", "must be an integer");
  if (!(Number.isFinite(baseDelayMs) && baseDelayMs > 0)) throw fault("retry.baseDelayMs", "must be > 0");
  if (!(Number.isFinite(maxDelayMs) && maxDelayMs > 0)) throw fault("retry.maxDelayMs", "must be > 0");
  if (baseDelayMs > maxDelayMs) throw fault("retry.baseDelayMs", "must be <= retry.maxDelayMs");
  return policy;
}

const fault = (field: string, rule: string): ThinkInputError =>
  new ThinkInputError("invalid-retry", field, `${field} ${rule}`);
