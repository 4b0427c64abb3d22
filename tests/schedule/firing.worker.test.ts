import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ThinkScheduledTaskContext } from "../../src/index.ts";
import { alarmOf, fireAlarm } from "../support/agents.ts";
import { dump } from "../support/raw-log.ts";
import { errorsOf, setUpTasks } from "../support/schedule-agent.ts";
import {
  DAY,
  EIGHT,
  freshScheduleAgent,
  goTo,
  HOUR,
  inside,
  MINUTE,
  nextLife,
  occurrencesOf,
  questionsOf,
  ringAt,
  tasksOf,
  wakeOf,
} from "../support/schedule-agents.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  goTo(EIGHT);
});
afterEach(() => void vi.useRealTimers());

const quick = { maxAttempts: 3, baseDelayMs: 1, maxDelayMs: 2 };
const digest = { digest: { schedule: "every 1 hour", prompt: "Digest, please" } } as const;
const never = new Promise<never>(() => {});

async function expectSound(agent: Parameters<typeof tasksOf>[0]): Promise<void> {
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
  expect((await agent.rebuildProjections()).filter(({ differences }) => differences > 0)).toEqual([]);
}

describe("a prompt", () => {
  test("C-26, C-29, C-30: is submitted under the key of its slot, and the next slot waits", async () => {
    const { agent } = await freshScheduleAgent({
      tasks: () => ({ digest: { ...digest.digest, metadata: { team: "ops", source: "mine" } } }),
    });
    expect(await wakeOf(agent)).toBe(EIGHT + HOUR);
    await ringAt(agent, EIGHT + HOUR);
    const [submission] = await agent.listSubmissions();
    const ownerKey = submission?.metadata?.["ownerKey"] as string;
    expect(ownerKey).toMatch(/^[0-9a-f]{32}$/);
    expect(submission).toMatchObject({
      idempotencyKey: `think-schedule:${ownerKey}:digest:${EIGHT + HOUR}`,
      metadata: {
        team: "ops",
        source: "scheduled-task",
        ownerKey,
        taskId: "digest",
        scheduledFor: EIGHT + HOUR,
        schedule: "every 1 hour",
      },
    });
    await fireAlarm(agent);
    await expect.poll(() => questionsOf(agent)).toEqual(["Digest, please"]);
    expect(await tasksOf(agent)).toMatchObject([
      {
        taskId: "digest",
        action: "prompt",
        schedule: "every 1 hour",
        next: EIGHT + 2 * HOUR,
        last: { scheduledFor: EIGHT + HOUR, outcome: "fired", submissionId: submission?.submissionId },
      },
    ]);
    expect(await wakeOf(agent)).toBe(EIGHT + 2 * HOUR);
    await expectSound(agent);
  });

  test("is one commit with its occurrence: neither is there without the other", async () => {
    const tasks = () => ({ digest: { ...digest.digest, retry: quick } });
    const { agent } = await freshScheduleAgent({ tasks });
    await inside(agent, (_, { storage }) => {
      storage.sql.exec(`CREATE TRIGGER test_no_occurrence BEFORE INSERT ON thinklog_events
        WHEN NEW.type = 'OccurrenceFired' BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
    });
    await ringAt(agent, EIGHT + HOUR);
    expect(await agent.listSubmissions()).toEqual([]);
    expect(await occurrencesOf(agent, "digest")).toMatchObject([
      { outcome: "failed", error: expect.stringContaining("disk full") },
    ]);
  });

  test("is a turn whose trigger is the schedule, and its actor the task", async () => {
    const { agent } = await freshScheduleAgent({ tasks: () => digest });
    await ringAt(agent, EIGHT + HOUR);
    const { events } = await agent.auditLog({ types: ["TurnSubmitted", "OccurrenceFired"] });
    expect(events).toMatchObject([
      { type: "TurnSubmitted", actor: "schedule:digest", data: { trigger: "scheduled" } },
      { type: "OccurrenceFired", causationId: `occurrence:digest:${EIGHT + HOUR}` },
    ]);
  });

  test("C-30: a function is asked for each attempt, and where it finds the agent", async () => {
    let calls = 0;
    const { agent } = await freshScheduleAgent({
      tasks: () => ({
        digest: {
          schedule: "every 1 hour",
          retry: quick,
          prompt: async () => {
            calls += 1;
            if (calls === 1) throw new Error("no network");
            return `Attempt ${calls}`;
          },
        },
      }),
    });
    await ringAt(agent, EIGHT + HOUR);
    await expect.poll(() => occurrencesOf(agent, "digest")).toMatchObject([{ outcome: "fired", attempts: 2 }]);
    await fireAlarm(agent);
    await expect.poll(() => questionsOf(agent)).toEqual(["Attempt 2"]);
  });

  test("C-26, C-27: a function that always throws fails its slot, tells onError, and the next slot waits", async () => {
    const { agent, name } = await freshScheduleAgent({
      tasks: () => ({
        digest: { schedule: "every 1 hour", retry: quick, prompt: () => Promise.reject(new Error("no network")) },
      }),
    });
    await ringAt(agent, EIGHT + HOUR);
    await expect
      .poll(() => occurrencesOf(agent, "digest"))
      .toMatchObject([{ outcome: "failed", attempts: 3, error: "no network", scheduledFor: EIGHT + HOUR }]);
    expect(errorsOf(name)).toMatchObject([{ message: "no network" }]);
    expect(await agent.listSubmissions()).toEqual([]);
    await expect.poll(() => wakeOf(agent)).toBe(EIGHT + 2 * HOUR);
    expect(await tasksOf(agent)).toMatchObject([{ last: { outcome: "failed", error: "no network" } }]);
  });
});

describe("a handler", () => {
  test("C-2: is told of its slot, and nothing is submitted", async () => {
    const told: ThinkScheduledTaskContext[] = [];
    const { agent } = await freshScheduleAgent({
      tasks: () => ({
        report: {
          schedule: "Every day at  09:00 in Europe/Berlin" as "every day at 09:00",
          metadata: { team: "ops" },
          handler: (context) => void told.push(context),
        },
      }),
    });
    await ringAt(agent, EIGHT + DAY);
    expect(told).toEqual([
      {
        taskId: "report",
        scheduledFor: EIGHT + DAY,
        scheduledForDate: new Date(EIGHT + DAY),
        occurrenceKey: `report:${EIGHT + DAY}`,
        idempotencyKey: expect.stringMatching(new RegExp(`^think-schedule:[0-9a-f]{32}:report:${EIGHT + DAY}$`)),
        schedule: "every day at 09:00 in europe/berlin",
        scheduleKind: "wall-clock",
        timezone: "Europe/Berlin",
        metadata: { team: "ops" },
      },
    ]);
    expect(await agent.listSubmissions()).toEqual([]);
    expect(await occurrencesOf(agent, "report")).toEqual([
      { taskId: "report", at: EIGHT + DAY, outcome: "fired", scheduledFor: EIGHT + DAY, attempts: 1 },
    ]);
    expect(await wakeOf(agent)).toBe(EIGHT + 2 * DAY);
    await expectSound(agent);
  });

  test("that throws once is tried again", async () => {
    let calls = 0;
    const handler = (): void => {
      calls += 1;
      if (calls === 1) throw new Error("not yet");
    };
    const { agent } = await freshScheduleAgent({
      tasks: () => ({ report: { schedule: "every 1 hour", handler, retry: { ...quick, maxAttempts: 2 } } }),
    });
    await ringAt(agent, EIGHT + HOUR);
    await expect.poll(() => occurrencesOf(agent, "report")).toMatchObject([{ outcome: "fired", attempts: 2 }]);
  });

  test("that always throws is called three times, and the next slot waits", async () => {
    let calls = 0;
    const handler = (): void => {
      calls += 1;
      throw new Error("never");
    };
    const { agent } = await freshScheduleAgent({ tasks: () => ({ report: { schedule: "every 1 hour", handler } }) });
    await ringAt(agent, EIGHT + HOUR);
    await expect
      .poll(() => occurrencesOf(agent, "report"), { timeout: 5_000 })
      .toMatchObject([{ outcome: "failed", attempts: 3 }]);
    expect(calls).toBe(3);
    await expect.poll(() => wakeOf(agent)).toBe(EIGHT + 2 * HOUR);
  });

  test("that runs long holds up neither the alarm nor other tasks, and its own next slots are skipped", async () => {
    const gate = Promise.withResolvers<void>();
    let calls = 0;
    const { agent } = await freshScheduleAgent({
      tasks: () => ({
        ...digest,
        slow: {
          schedule: "every 1 hour",
          handler: () => {
            calls += 1;
            return calls === 1 ? gate.promise : undefined;
          },
        },
      }),
    });
    await ringAt(agent, EIGHT + HOUR);
    expect(await wakeOf(agent)).toBe(EIGHT + HOUR + 30_000);
    await ringAt(agent, EIGHT + 2 * HOUR + MINUTE);
    expect(await occurrencesOf(agent, "digest")).toMatchObject([{ outcome: "fired" }, { outcome: "fired" }]);
    expect(calls).toBe(1);
    gate.resolve();
    await expect
      .poll(() => occurrencesOf(agent, "slow"))
      .toMatchObject([
        { outcome: "skipped", count: 1, scheduledFor: EIGHT + 2 * HOUR, until: EIGHT + 2 * HOUR },
        { outcome: "fired", scheduledFor: EIGHT + HOUR },
      ]);
    await expect.poll(() => wakeOf(agent)).toBe(EIGHT + 3 * HOUR);
  });

  test("C-31: that was cut off is called again by the next life, and not for ever", async () => {
    let calls = 0;
    const fresh = await freshScheduleAgent({
      tasks: () => ({
        report: {
          schedule: "every 1 hour",
          handler: () => {
            calls += 1;
            return never;
          },
        },
      }),
    });
    let { agent } = fresh;
    for (let life = 1; life <= 5; life += 1) {
      await ringAt(agent, EIGHT + HOUR + life * MINUTE);
      expect(calls).toBe(life);
      agent = await nextLife(fresh.name);
    }
    await ringAt(agent, EIGHT + HOUR + 10 * MINUTE);
    expect(calls).toBe(5);
    expect(await occurrencesOf(agent, "report")).toMatchObject([
      { outcome: "failed", error: "The object stopped while the handler ran, 5 times" },
    ]);
    expect(await wakeOf(agent)).toBe(EIGHT + 2 * HOUR);
  });
});

describe("C-25: a slot is used once", () => {
  test("an alarm that comes early finds nothing due, and is set right", async () => {
    const { agent } = await freshScheduleAgent({ tasks: () => digest });
    await inside(agent, (_, { storage }) => {
      storage.sql.exec("UPDATE cf_agents_jobs SET time = 0 WHERE id = 'thinklog-schedule'");
    });
    await ringAt(agent, EIGHT + HOUR - 1);
    expect(await agent.listSubmissions()).toEqual([]);
    expect(await wakeOf(agent)).toBe(EIGHT + HOUR);
  });

  test("C-24: two alarms at once, and one after them", async () => {
    let calls = 0;
    const { agent } = await freshScheduleAgent({
      tasks: () => ({ ...digest, report: { schedule: "every 1 hour", handler: () => void (calls += 1) } }),
    });
    goTo(EIGHT + HOUR);
    const stored = { taskId: "digest", scheduleHash: "h", scheduledFor: EIGHT + HOUR };
    await inside(agent, async (instance) => {
      await Promise.all([1, 2, 3].map(() => instance._runDeclaredScheduledTask(stored)));
      await instance._runDeclaredScheduledTask(stored);
    });
    await fireAlarm(agent);
    expect(await agent.listSubmissions()).toHaveLength(1);
    expect(calls).toBe(1);
    expect(await wakeOf(agent)).toBe(EIGHT + 2 * HOUR);
  });

  test("a payload that is none is refused", async () => {
    const { agent } = await freshScheduleAgent();
    const refused = inside(agent, (instance) => instance._runDeclaredScheduledTask({ taskId: 1 } as never));
    await expect(refused).rejects.toThrow("Invalid declared scheduled task payload");
  });

  test("a slot that was declared differently meanwhile is not used", async () => {
    const { agent, name } = await freshScheduleAgent({ tasks: () => digest });
    setUpTasks(name, { tasks: () => ({ digest: { schedule: "every 2 hours", prompt: "Digest, please" } }) });
    await ringAt(agent, EIGHT + HOUR);
    expect(await agent.listSubmissions()).toEqual([]);
    expect(await wakeOf(agent)).toBe(EIGHT + 3 * HOUR);
  });
});

describe("missed slots", () => {
  test("FR-71, C-28: ten overdue periods are one run, and one record of those that were skipped", async () => {
    const { agent } = await freshScheduleAgent({ tasks: () => digest });
    await ringAt(agent, EIGHT + 10 * HOUR + MINUTE);
    expect(await agent.listSubmissions()).toHaveLength(1);
    expect(await occurrencesOf(agent, "digest")).toMatchObject([
      { outcome: "skipped", scheduledFor: EIGHT + 2 * HOUR, until: EIGHT + 10 * HOUR, count: 9 },
      { outcome: "fired", scheduledFor: EIGHT + HOUR },
    ]);
    expect(await wakeOf(agent)).toBe(EIGHT + 11 * HOUR);
    await expectSound(agent);
  });

  test("C-12: the phase is kept: hourly from 08:00, late at 10:30, next at 11:00", async () => {
    const { agent } = await freshScheduleAgent({ tasks: () => digest });
    await ringAt(agent, EIGHT + 2.5 * HOUR);
    expect(await tasksOf(agent)).toMatchObject([{ next: EIGHT + 3 * HOUR }]);
  });

  test("a weekend is no missed weekday", async () => {
    const { agent } = await freshScheduleAgent({
      timezone: "UTC",
      tasks: () => ({ digest: { schedule: "every weekday at 09:00", prompt: "Digest, please" } }),
    });
    const friday = EIGHT + HOUR + 4 * DAY;
    await ringAt(agent, EIGHT + HOUR);
    await ringAt(agent, friday + 3 * DAY + HOUR);
    expect(await occurrencesOf(agent, "digest")).toMatchObject([
      { outcome: "skipped", scheduledFor: EIGHT + HOUR + 2 * DAY, until: friday + 3 * DAY, count: 4 },
      { outcome: "fired", scheduledFor: EIGHT + HOUR + DAY },
      { outcome: "fired", scheduledFor: EIGHT + HOUR },
    ]);
  });
});

describe("C-14, C-15: on the days on which clocks change, by the alarm", () => {
  test.each([
    ["Europe/Berlin", "02:30", "2030-03-30T12:00Z", "2030-03-31T01:00Z"],
    ["Europe/London", "01:30", "2030-03-30T12:00Z", "2030-03-31T01:00Z"],
    ["Europe/London", "01:30", "2030-10-26T12:00Z", "2030-10-27T00:30Z"],
    ["America/New_York", "02:30", "2030-03-09T12:00Z", "2030-03-10T07:00Z"],
    ["Australia/Lord_Howe", "02:15", "2030-10-05T12:00Z", "2030-10-05T15:30Z"],
    ["Pacific/Apia", "09:00", "2030-01-01T12:00Z", "2030-01-01T20:00Z"],
  ])("%s %s", async (zone, time, now, slot) => {
    goTo(Date.parse(now));
    const { agent } = await freshScheduleAgent({
      timezone: zone,
      tasks: () => ({ digest: { schedule: `every day at ${time}` as "every day at 09:00", prompt: "Digest, please" } }),
    });
    expect(await wakeOf(agent)).toBe(Date.parse(slot));
    await ringAt(agent, Date.parse(slot));
    expect(await agent.listSubmissions()).toHaveLength(1);
    expect((await tasksOf(agent))[0]?.next).toBeGreaterThan(Date.parse(slot) + 22 * HOUR);
  });
});

describe("FR-72: an alarm that was lost", () => {
  test("is set again by the next wake, the job gone or only the platform's alarm", async () => {
    const { agent, name } = await freshScheduleAgent({ tasks: () => digest });
    await inside(agent, (_, { storage }) => storage.deleteAlarm());
    const second = await nextLife(name);
    await expect.poll(() => alarmOf(second)).toBe(EIGHT + HOUR);
    await inside(second, (_, { storage }) => {
      storage.sql.exec("DELETE FROM cf_agents_jobs");
      return storage.deleteAlarm();
    });
    const third = await nextLife(name);
    await expect.poll(() => alarmOf(third)).toBe(EIGHT + HOUR);
    expect(await dump(third, "thinklog_scheduled_tasks")).toHaveLength(1);
    expect(await tasksOf(third)).toMatchObject([{ next: EIGHT + HOUR }]);
  });

  test("also when its slot went by: it runs once", async () => {
    const { agent, name } = await freshScheduleAgent({ tasks: () => digest });
    await inside(agent, (_, { storage }) => {
      storage.sql.exec("DELETE FROM cf_agents_jobs");
      return storage.deleteAlarm();
    });
    goTo(EIGHT + HOUR + MINUTE);
    const next = await nextLife(name);
    expect(await wakeOf(next)).toBe(EIGHT + HOUR);
    await fireAlarm(next);
    expect(await next.listSubmissions()).toHaveLength(1);
    expect(await tasksOf(next)).toMatchObject([{ next: EIGHT + 2 * HOUR }]);
  });
});
