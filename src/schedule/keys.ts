import type { Schedule } from "./schedule.ts";
import { canonicalTimeZone } from "./time-zone.ts";
import type { CheckedTask } from "./validate.ts";

/** The same for schedules that mean the same, however they are written: such an edit keeps the phase. */
export function scheduleKey(schedule: Schedule): string {
  if (schedule.kind === "interval") return `every ${schedule.everyMs}`;
  const { weekdays, hour, minute, timeZone } = schedule;
  return `on ${weekdays.join()} at ${hour}:${minute} in ${canonicalTimeZone(timeZone)}`;
}

/** Changes with anything about a task that can be compared; of a function only that there is one. */
export function taskKey({ schedule, action, metadata }: CheckedTask): string {
  const literal = action.kind === "prompt" && typeof action.prompt === "string" ? action.prompt : null;
  return JSON.stringify([scheduleKey(schedule), action.kind, literal, metadata ?? null]);
}

/** One slot of one task of one agent. */
export const occurrenceKey = (taskId: string, scheduledFor: number): string => `${taskId}:${scheduledFor}`;

/** As {@link occurrenceKey}, told apart from the same task of other agents. */
export const scheduledIdempotencyKey = (ownerKey: string, taskId: string, scheduledFor: number): string =>
  `think-schedule:${ownerKey}:${occurrenceKey(taskId, scheduledFor)}`;
