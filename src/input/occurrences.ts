import { ThinkInputError } from "../errors.ts";
import type { ListOccurrencesOptions } from "../types.ts";
import { checkLimit } from "./filters.ts";
import { checkIdentifier } from "./identifiers.ts";

/** @throws {ThinkInputError} naming the field at fault. */
export function checkOccurrences(options: ListOccurrencesOptions | null | undefined) {
  const taskId = checkIdentifier(options?.taskId, "taskId");
  if (taskId === undefined) throw new ThinkInputError("missing", "taskId", "taskId is missing");
  const cursor = checkIdentifier(options?.cursor, "cursor");
  return { taskId, limit: checkLimit(options?.limit, 50, 500), cursor };
}
