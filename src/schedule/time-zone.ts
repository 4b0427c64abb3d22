import { fromEpochMilliseconds, toZonedDateTimeISO } from "temporal-polyfill/fns/Instant";
import { type ScheduleField, scheduleFault } from "./fault.ts";

/** A name. Offsets such as `+05:30` are none: some runtimes take them, others do not. */
const NAME = /^[a-z_][a-z0-9_+\-/]*$/i;

/** The name in its own spelling: `Europe/Berlin` for `europe/berlin`. */
export function checkTimeZone(name: unknown, field: ScheduleField): string {
  const fault = scheduleFault("invalid-timezone", [String(name)], field);
  if (typeof name !== "string" || !NAME.test(name)) throw fault;
  try {
    return toZonedDateTimeISO(fromEpochMilliseconds(0), name).timeZoneId;
  } catch {
    throw fault;
  }
}

/** One name for all the names of a zone: `UTC` for `Etc/UTC`. */
export const canonicalTimeZone = (name: string): string =>
  new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;

/** The zones a task may get its own from, as they were written. */
export type ZoneSources = {
  /** The task's `timezone`. */
  readonly task?: string | undefined;
  /** What `getDefaultTimezone()` said. */
  readonly fallback?: string | undefined;
};

/** The zone named in the schedule, else the task's, else the default. The first two must not contradict each other. */
export function resolveTimeZone(raw: string, inline: string | undefined, { task, fallback }: ZoneSources): string {
  const named = inline === undefined ? undefined : checkTimeZone(inline, "schedule");
  const own = task === undefined ? undefined : checkTimeZone(task, "timezone");
  if (named !== undefined && own !== undefined && canonicalTimeZone(named) !== canonicalTimeZone(own)) {
    throw scheduleFault("timezone-mismatch", [named, own], "timezone");
  }
  const zone = named ?? own;
  if (zone !== undefined) return zone;
  if (fallback === undefined) throw scheduleFault("no-timezone", [raw]);
  return checkTimeZone(fallback, "getDefaultTimezone()");
}
