import { ThinkInputError } from "../errors.ts";

/** Milliseconds to wait; `undefined` for as long as it takes. */
export function checkTimeout(timeoutMs: unknown, field = "timeoutMs"): number | undefined {
  if (timeoutMs === undefined || timeoutMs === Number.POSITIVE_INFINITY) return undefined;
  if (typeof timeoutMs !== "number" || Number.isNaN(timeoutMs) || timeoutMs < 0) {
    throw new ThinkInputError("invalid-timeout", field, `${field} must be a number of 0 or more`);
  }
  return timeoutMs;
}
