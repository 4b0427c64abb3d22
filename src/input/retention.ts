import { ThinkInputError } from "../errors.ts";

/** Milliseconds: some three thousand years. What is to last longer is `"forever"`; the end must stay a whole number. */
const MAX_RETENTION_MS = 1e14;

/** How long the key of a deleted submission goes on answering retries: not at all, for ever, or milliseconds. */
export type Retention = "forever" | number | undefined;

/** A setting of the subclass, so nothing has checked it before. */
export function checkRetention(value: unknown): Retention {
  if (value === undefined || value === "forever") return value;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_RETENTION_MS) return value;
  const range = `a whole number of milliseconds from 0 to ${MAX_RETENTION_MS}`;
  const message = `idempotencyRetention must be "forever", undefined or ${range}`;
  throw new ThinkInputError("invalid-retention", "idempotencyRetention", message);
}
