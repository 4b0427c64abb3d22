/** Scheduled tasks as applications write them: a schedule in words that cannot be meant does not compile. */
import type { ThinkScheduledTask, ThinkScheduledTasks, ThinkTime } from "../../src/index.ts";
import type { Assignable, Expect, ExpectNot } from "./expect.ts";

export const tasks = {
  hourly: { schedule: "every 1 hour", handler: async () => {} },
  digest: {
    schedule: "every weekday at 09:00",
    timezone: "Europe/Berlin",
    prompt: async () => "Write the digest",
    retry: { maxAttempts: 2 },
    metadata: { kind: "digest" },
  },
  inline: { schedule: "every week on mon, thu at 18:30 in America/New_York", prompt: "Plan" },
  defaultZone: { schedule: "every day at 23:59", prompt: "Close the day" },
  handled: {
    schedule: "every 15 minutes",
    handler({ taskId, scheduledFor, scheduledForDate, occurrenceKey, idempotencyKey, scheduleKind, timezone }) {
      const told: [string, number, Date, string, string, "interval" | "wall-clock", string | undefined] = [
        taskId,
        scheduledFor,
        scheduledForDate,
        occurrenceKey,
        idempotencyKey,
        scheduleKind,
        timezone,
      ];
      return void told;
    },
  },
} satisfies ThinkScheduledTasks;

declare const timezone: string | undefined;
export const withMaybeZone: ThinkScheduledTask = { schedule: "every day at 08:00", timezone, prompt: "Go" };

// @ts-expect-error - no such time
export const badTime: ThinkScheduledTask = { schedule: "every day at 25:00", prompt: "Go" };
// @ts-expect-error - an interval has no zone
export const zonedInterval: ThinkScheduledTask = { schedule: "every 1 hour", timezone: "UTC", prompt: "Go" };
// @ts-expect-error - an interval has no zone, not in words either
export const inlineZonedInterval: ThinkScheduledTask = { schedule: "every 1 hour in UTC", prompt: "Go" };
// @ts-expect-error - one of the two
export const both: ThinkScheduledTask = { schedule: "every 1 hour", prompt: "Go", handler: () => {} };
// @ts-expect-error - one of the two
export const neither: ThinkScheduledTask = { schedule: "every 1 hour" };
// @ts-expect-error - no cron
export const cron: ThinkScheduledTask = { schedule: "0 9 * * *", prompt: "Go" };

export type Times = [
  Expect<Assignable<"00:00" | "09:05" | "19:30" | "23:59", ThinkTime>>,
  ExpectNot<Assignable<"24:00", ThinkTime>>,
  ExpectNot<Assignable<"09:60", ThinkTime>>,
  ExpectNot<Assignable<"9:00", ThinkTime>>,
];
