import { ThinkInputError } from "../errors.ts";
import type { ListNotificationsOptions, NotificationState, ReplayNotificationsOptions } from "../types.ts";
import { checkLimit } from "./filters.ts";

/** Ids in one call: each is a commit. */
const MAX_IDS = 500;

/** @throws {ThinkInputError} naming the field at fault. */
export function checkListing(options?: ListNotificationsOptions | null): {
  readonly state: NotificationState | undefined;
  readonly limit: number;
} {
  const state: unknown = options?.state;
  if (state !== undefined && state !== "due" && state !== "parked") {
    throw new ThinkInputError("invalid-state", "state", 'state must be "due" or "parked"');
  }
  return { state, limit: checkLimit(options?.limit, 50, 500) };
}

/** @throws {ThinkInputError} naming the field at fault. */
export function checkReplay(options: ReplayNotificationsOptions): readonly string[] {
  const ids: unknown = (options as ReplayNotificationsOptions | undefined)?.ids;
  if (!Array.isArray(ids)) throw new ThinkInputError("not-an-array", "ids", "ids must be an array of notification ids");
  if (ids.length > MAX_IDS) {
    throw new ThinkInputError("too-many", "ids", `ids has ${ids.length} entries; at most ${MAX_IDS} are accepted`);
  }
  return ids.map((id: unknown, index) => {
    if (typeof id === "string") return id;
    throw new ThinkInputError("not-a-string", `ids[${index}]`, `ids[${index}] must be a string`);
  });
}
