import { describe, expect, test } from "vitest";
import { parseSchedule } from "../../src/schedule/grammar.ts";
import { occurrenceKey, scheduledIdempotencyKey, scheduleKey, taskKey } from "../../src/schedule/keys.ts";
import type { ThinkScheduledTask } from "../../src/schedule/types.ts";
import { checkTask } from "../../src/schedule/validate.ts";

const keyOf = (text: string): string => scheduleKey(parseSchedule(text, { fallback: "Europe/Berlin" }));
const key = (task: object): string =>
  taskKey(checkTask("t", { schedule: "every 1 hour", ...task } as unknown as ThinkScheduledTask));

describe("C-19: the key of a schedule", () => {
  test.each([
    ["every 60 minutes", "every 1 hour"],
    ["every day at 09:00", "  EVERY day  at 09:00 in Europe/Berlin"],
    ["every week on mon, thursday at 09:00", "every week on Thu,Monday at 09:00"],
    ["every weekday at 09:00", "every week on fri,thu,wed,tue,mon at 09:00"],
    ["every day at 09:00 in UTC", "every day at 09:00 in Etc/UTC"],
  ])("%s means the same as %s", (one, other) => {
    expect(keyOf(one)).toBe(keyOf(other));
  });

  test("C-21: changes with the time, the days and the zone that is meant", () => {
    const texts = ["every day at 09:00", "every day at 09:01", "every weekday at 09:00", "every day at 09:00 in UTC"];
    expect(new Set([...texts, "every 1 hour", "every 2 hours"].map(keyOf)).size).toBe(6);
  });
});

describe("C-19: the key of a task", () => {
  test("changes with the schedule, the kind of action, the prompt and the metadata", () => {
    const keys = [
      key({ prompt: "Go" }),
      key({ prompt: "Stay" }),
      key({ prompt: () => "Go" }),
      key({ handler: () => {} }),
      key({ prompt: "Go", metadata: { a: 1 } }),
      key({ prompt: "Go", schedule: "every 2 hours" }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("not with the retries or the body of a function", () => {
    expect(key({ prompt: "Go", retry: { maxAttempts: 5 } })).toBe(key({ prompt: "Go" }));
    expect(key({ handler: () => {} })).toBe(key({ handler: async () => {} }));
  });
});

test("C-29: the keys of an occurrence name the task and the slot, and the agent", () => {
  expect(occurrenceKey("digest", 1_777_000_000_000)).toBe("digest:1777000000000");
  expect(scheduledIdempotencyKey("0a1b", "digest", 1_777_000_000_000)).toBe("think-schedule:0a1b:digest:1777000000000");
});
