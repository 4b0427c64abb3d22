import { ThinkInputError } from "../errors.ts";
import type { AuditRequest } from "../queries/index.ts";
import type { AuditLogOptions } from "../types.ts";
import { checkLimit } from "./filters.ts";
import { checkIdentifier } from "./identifiers.ts";

/** @throws {ThinkInputError} naming the field at fault. */
export function checkAuditOptions(options?: AuditLogOptions | null): AuditRequest {
  return {
    submissionId: checkIdentifier(options?.submissionId, "submissionId"),
    workflowId: checkIdentifier(options?.workflowId, "workflowId"),
    types: checkTypes(options?.types),
    afterPosition: checkPosition(options?.afterPosition),
    order: checkOrder(options?.order),
    limit: checkLimit(options?.limit, 100, 500),
    cursor: checkIdentifier(options?.cursor, "cursor"),
  };
}

/** The digest of a payload, as an event names it. */
export function checkDigest(digest: unknown): string {
  const checked = checkIdentifier(digest, "digest");
  if (checked === undefined) throw new ThinkInputError("missing", "digest", "digest is missing");
  return checked;
}

function checkTypes(types: unknown): ReadonlySet<string> | undefined {
  if (types === undefined) return undefined;
  if (!Array.isArray(types) || types.some((type) => typeof type !== "string")) {
    throw new ThinkInputError("not-an-array", "types", "types must be an array of event types");
  }
  return new Set(types as string[]);
}

function checkPosition(position: unknown): number {
  if (position === undefined) return 0;
  if (typeof position !== "number" || !Number.isSafeInteger(position) || position < 0) {
    throw new ThinkInputError("invalid-position", "afterPosition", "afterPosition must be an integer of 0 or more");
  }
  return position;
}

function checkOrder(order: unknown): "asc" | "desc" {
  if (order === undefined || order === "asc") return "asc";
  if (order === "desc") return "desc";
  throw new ThinkInputError("invalid-order", "order", 'order must be "asc" or "desc"');
}
