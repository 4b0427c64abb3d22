import { ThinkInputError } from "../errors.ts";
import type { ThinkSubmissionStatus } from "../types.ts";

export const STATUSES = ["pending", "running", "completed", "aborted", "skipped", "error"] as const;
export const TERMINAL_STATUSES = ["completed", "aborted", "skipped", "error"] as const;

/** One status, several, or `undefined` for all of them. */
export function checkStatuses(value: unknown, field = "status"): ThinkSubmissionStatus[] | undefined {
  if (value === undefined) return undefined;
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const unknown = values.findIndex((status) => !STATUSES.includes(status as ThinkSubmissionStatus));
  if (unknown >= 0) {
    const message = `${field} ${shown(values[unknown])} is not one of ${STATUSES.join(", ")}`;
    throw new ThinkInputError("invalid-status", field, message);
  }
  return [...new Set(values as ThinkSubmissionStatus[])];
}

/** Text as it is, short enough for a message; of anything else only what it is, as it may have no JSON. */
const shown = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value.slice(0, 50)) : typeof value;

/** A page size: clamped into its range, as the target does; what is not a number is an error. */
export function checkLimit(value: unknown, fallback: number, max: number, field = "limit"): number {
  if (value === undefined) return fallback;
  if (typeof value !== "number" || Number.isNaN(value)) {
    throw new ThinkInputError("not-a-number", field, `${field} must be a number`);
  }
  return Math.min(Math.max(Math.trunc(value), 1), max);
}
