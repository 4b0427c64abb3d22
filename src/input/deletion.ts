import { ThinkInputError } from "../errors.ts";
import type { DeleteSubmissionsOptions } from "../types.ts";
import { checkLimit, checkStatuses, TERMINAL_STATUSES } from "./filters.ts";

type Ended = (typeof TERMINAL_STATUSES)[number];

/** Checked arguments of a bulk deletion. Statuses of living submissions may be named, and match nothing. */
export function checkDeletion(options?: DeleteSubmissionsOptions | null): {
  readonly statuses: readonly Ended[];
  /** Epoch milliseconds, exclusive. */
  readonly before: number;
  readonly limit: number;
} {
  const named = checkStatuses(options?.status);
  return {
    statuses: named ? TERMINAL_STATUSES.filter((status) => named.includes(status)) : TERMINAL_STATUSES,
    before: checkDate(options?.completedBefore),
    limit: checkLimit(options?.limit, 100, 500),
  };
}

function checkDate(date: unknown): number {
  if (date === undefined) return Number.MAX_SAFE_INTEGER;
  if (!(date instanceof Date) || Number.isNaN(date.getTime())) {
    throw new ThinkInputError("invalid-date", "completedBefore", "completedBefore must be a valid Date");
  }
  return date.getTime();
}
