import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ThinkScheduledTasks } from "../../src/index.ts";
import { alarmOf, fireAlarm } from "../support/agents.ts";
import { dump } from "../support/raw-log.ts";
import { breakStorage } from "../support/outage.ts";
import { askedOf, type ScheduleAgent, setUpTasks } from "../support/schedule-agent.ts";
import {
  DAY,
  EIGHT,
  freshScheduleAgent,
  goTo,
  HOUR,
  inside,
  nextLife,
  occurrencesOf,
  ringAt,
  storyOf,
  tasksOf,
  wakeOf,
} from "../support/schedule-agents.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  goTo(EIGHT);
});
afterEach(() => void vi.useRealTimers());

const digest = { digest: { schedule: "every 1 hour", prompt: "Digest, please" } } as const;
const reconcile = (agent: Parameters<typeof tasksOf>[0]): Promise<unknown> =>
  inside(agent, (instance) =>
    instance.internal_reconcileScheduledTasks().then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
const degradationsOf = (agent: Parameters<typeof tasksOf>[0]): Promise<string[]> =>
  inside(agent, (instance) =>
    instance.getOnStartDegradations().map(({ step, error }) => `${step}: ${(error as Error).message}`),
  );

describe("an agent without tasks", () => {
  test("pays nothing: no row, no event, no alarm", async () => {
    const { agent } = await freshScheduleAgent();
    expect(await tasksOf(agent)).toEqual([]);
    expect(await alarmOf(agent)).toBeNull();
    expect(await dump(agent, "thinklog_events")).toEqual([]);
    expect(await dump(agent, "cf_agents_jobs")).toEqual([]);
  });
});

/** The statements that mention tasks or the alarm's jobs, while this is done inside the object. */
const statementsOf = (
  agent: Parameters<typeof tasksOf>[0],
  work: (instance: ScheduleAgent) => Promise<unknown>,
): Promise<string[]> =>
  inside(agent, async (instance, { storage }) => {
    const seen: string[] = [];
    const watch = breakStorage(
      storage,
      () => new Error("never"),
      (statement) => {
        if (/scheduled_tasks|cf_agents_jobs/.test(statement)) seen.push(statement);
        return false;
      },
    );
    await work(instance);
    watch.heal();
    return seen;
  });

describe("what is read", () => {
  const look = (instance: ScheduleAgent): Promise<void> => instance.internal_reconcileScheduledTasks();

  test("without tasks: their table once at a wake, and nothing of it in a turn", async () => {
    const { agent } = await freshScheduleAgent();
    expect(await statementsOf(agent, look)).toEqual([expect.stringContaining("scheduled_tasks")]);
    const turn = await statementsOf(agent, (instance) => instance.runTurn({ input: "Hello" }));
    expect(turn.filter((statement) => statement.includes("scheduled_tasks"))).toEqual([]);
  });

  test("nothing of it in a turn of an agent with tasks either", async () => {
    const { agent } = await freshScheduleAgent({ tasks: () => digest });
    const turn = await statementsOf(agent, (instance) => instance.runTurn({ input: "Hello" }));
    expect(turn.filter((statement) => statement.includes("scheduled_tasks"))).toEqual([]);
  });
});

describe("C-20: what is declared is what is in force", () => {
  test("a new task is on record and armed, once its agent has started", async () => {
    let started = false;
    const { agent } = await freshScheduleAgent({
      onStart: () => {
        started = true;
      },
      tasks: () => (started ? digest : {}),
    });
    expect(await storyOf(agent, "digest")).toEqual(["TaskDeclared", "OccurrenceDue"]);
    expect(await wakeOf(agent)).toBe(EIGHT + HOUR);
  });

  test("FR-71: twenty wakes leave one row and write nothing", async () => {
    const fresh = await freshScheduleAgent({ tasks: () => digest });
    const { name } = fresh;
    let { agent } = fresh;
    const tables = ["thinklog_events", "thinklog_scheduled_tasks", "cf_agents_jobs"];
    const before = await Promise.all(tables.map((table) => dump(agent, table)));
    for (let wake = 1; wake <= 20; wake += 1) agent = await nextLife(name);
    expect(await Promise.all(tables.map((table) => dump(agent, table)))).toEqual(before);
    expect(before[1]).toHaveLength(1);
    expect(askedOf(name)).toBe(21);
  });

  test("C-19: another prompt is on record, and the slot that waits stays", async () => {
    const { agent, name } = await freshScheduleAgent({ tasks: () => digest });
    goTo(EIGHT + HOUR / 2);
    setUpTasks(name, { tasks: () => ({ digest: { ...digest.digest, prompt: "A better one" } }) });
    expect(await reconcile(agent)).toBeUndefined();
    expect(await storyOf(agent, "digest")).toEqual(["TaskDeclared", "OccurrenceDue", "TaskDeclared"]);
    expect(await wakeOf(agent)).toBe(EIGHT + HOUR);
    await ringAt(agent, EIGHT + HOUR);
    await fireAlarm(agent);
    await expect.poll(async () => JSON.stringify(await agent.getMessages())).toContain("A better one");
  });

  test("a cosmetic edit keeps the phase", async () => {
    const { agent, name } = await freshScheduleAgent({ tasks: () => digest });
    goTo(EIGHT + HOUR / 2);
    setUpTasks(name, { tasks: () => ({ digest: { ...digest.digest, schedule: "every 60 minutes" } }) });
    await reconcile(agent);
    expect(await tasksOf(agent)).toMatchObject([{ schedule: "every 60 minutes", next: EIGHT + HOUR }]);
  });

  test("C-20: another schedule counts from now", async () => {
    const { agent, name } = await freshScheduleAgent({ tasks: () => digest });
    goTo(EIGHT + HOUR / 2);
    setUpTasks(name, { tasks: () => ({ digest: { ...digest.digest, schedule: "every 2 hours" } }) });
    await reconcile(agent);
    expect(await wakeOf(agent)).toBe(EIGHT + 2.5 * HOUR);
  });

  test("C-21: another default time zone moves the tasks that have none of their own", async () => {
    const { name } = await freshScheduleAgent({
      timezone: "UTC",
      tasks: () => ({
        digest: { schedule: "every day at 09:00", prompt: "Digest, please" },
        own: { schedule: "every day at 10:00 in UTC", prompt: "Report, please" },
      }),
    });
    setUpTasks(name, { timezone: "America/New_York" });
    const next = await nextLife(name);
    expect(await tasksOf(next)).toMatchObject([
      { taskId: "digest", timezone: "America/New_York", next: EIGHT + 6 * HOUR },
      { taskId: "own", timezone: "UTC", next: EIGHT + 2 * HOUR },
    ]);
  });

  test("a task that is gone is removed, its slot never comes, and nothing else is touched", async () => {
    const { agent, name } = await freshScheduleAgent({
      tasks: () => ({ ...digest, other: { schedule: "every 2 hours", prompt: "Other" } }),
    });
    await inside(agent, (instance) => instance.schedule(new Date(EIGHT + 3 * HOUR), "getMessages" as never));
    setUpTasks(name, { tasks: () => ({ other: { schedule: "every 2 hours", prompt: "Other" } }) });
    await reconcile(agent);
    await ringAt(agent, EIGHT + HOUR);
    expect(await agent.listSubmissions()).toEqual([]);
    expect(await tasksOf(agent)).toMatchObject([{ taskId: "other", next: EIGHT + 2 * HOUR }]);
    expect(await occurrencesOf(agent, "digest")).toEqual([
      { taskId: "digest", at: EIGHT, outcome: "cancelled", scheduledFor: EIGHT + HOUR },
    ]);
    expect(await inside(agent, (instance) => instance.listSchedules())).toHaveLength(1);
  });

  test("the last task that goes takes the alarm with it", async () => {
    const { agent, name } = await freshScheduleAgent({ tasks: () => digest });
    setUpTasks(name, { tasks: () => ({}) });
    await reconcile(agent);
    expect(await alarmOf(agent)).toBeNull();
    expect(await dump(agent, "thinklog_scheduled_tasks")).toEqual([]);
  });

  test("a slot that was recorded, but not armed, is armed at its time, even if that is past", async () => {
    const { agent, name } = await freshScheduleAgent({ tasks: () => digest });
    await inside(agent, (_, { storage }) => void storage.sql.exec("DELETE FROM cf_agents_jobs"));
    goTo(EIGHT + 2 * HOUR);
    const next = await nextLife(name);
    expect(await wakeOf(next)).toBe(EIGHT + HOUR);
    expect(await dump(next, "thinklog_scheduled_tasks")).toHaveLength(1);
  });
});

describe("C-22 and decision 19: a task that cannot be used", () => {
  const bad = { ...digest, late: { schedule: "every day at 25:00", prompt: "Late" } } as unknown as ThinkScheduledTasks;
  const fault = 'Invalid schedule time "25:00"; expected HH:mm';

  test("is reported and on record, and the others live", async () => {
    const { agent } = await freshScheduleAgent({ timezone: "UTC", tasks: () => bad });
    expect(await degradationsOf(agent)).toEqual([`scheduled-task-reconcile: ${fault}`]);
    expect(await tasksOf(agent)).toEqual([
      { taskId: "digest", action: "prompt", schedule: "every 1 hour", next: EIGHT + HOUR },
      { taskId: "late", problem: fault },
    ]);
    await ringAt(agent, EIGHT + HOUR);
    expect(await agent.listSubmissions()).toHaveLength(1);
  });

  test("is on record once, however often the agent wakes", async () => {
    const { name } = await freshScheduleAgent({ timezone: "UTC", tasks: () => bad });
    await nextLife(name);
    expect(await storyOf(await nextLife(name), "late")).toEqual(["TaskRejected"]);
  });

  test("is what reconciling rejects with; several are one error", async () => {
    const { agent, name } = await freshScheduleAgent({ timezone: "UTC", tasks: () => bad });
    expect(await reconcile(agent)).toMatchObject({ name: "ThinkInputError", field: "schedule", message: fault });
    setUpTasks(name, { tasks: () => ({ ...bad, "bad id": digest.digest }) });
    const error = await reconcile(agent);
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors).toHaveLength(2);
    setUpTasks(name, { tasks: () => digest });
    expect(await reconcile(agent)).toBeUndefined();
    expect(await degradationsOf(agent)).toEqual([]);
  });

  test("C-32: gets its phase back when it is mended", async () => {
    const { agent, name } = await freshScheduleAgent({ tasks: () => digest });
    const broken = { digest: { ...digest.digest, retry: { maxAttempts: 0 } } };
    setUpTasks(name, { tasks: () => broken });
    expect(await reconcile(agent)).toMatchObject({ message: "retry.maxAttempts must be >= 1" });
    expect(await alarmOf(agent)).toBeNull();
    goTo(EIGHT + 1.5 * HOUR);
    setUpTasks(name, { tasks: () => digest });
    await reconcile(agent);
    expect(await wakeOf(agent)).toBe(EIGHT + 2 * HOUR);
  });

  test.each([
    ["every day at 09:00", 'Wall-clock schedule "every day at 09:00" requires a timezone or getDefaultTimezone()'],
    ["every 1 minutes", 'Use singular unit for "every 1 minutes"'],
    ["every day at 09:00 in Mars/Base", 'Invalid timezone "Mars/Base"'],
    ["every 1 hour in UTC", "Interval schedules cannot specify a timezone"],
    ["every week on mon,monday at 09:00 in UTC", 'Duplicate schedule day "monday"'],
  ])("C-3 to C-10: %s", async (schedule, message) => {
    const tasks = () => ({ digest: { schedule: schedule as "every 1 hour", prompt: "Digest, please" } });
    const { agent } = await freshScheduleAgent({ tasks });
    expect(await degradationsOf(agent)).toEqual([`scheduled-task-reconcile: ${message}`]);
  });
});

describe("getScheduledTasks() that throws", () => {
  const broken = (): never => {
    throw new Error("no database");
  };

  test("leaves what was armed, and the agent answers", async () => {
    const { name } = await freshScheduleAgent({ tasks: () => digest });
    setUpTasks(name, { tasks: broken });
    const agent = await nextLife(name);
    expect(await degradationsOf(agent)).toEqual(["scheduled-task-reconcile: no database"]);
    expect(await wakeOf(agent)).toBe(EIGHT + HOUR);
    expect(await inside(agent, (instance) => instance.runTurn({ input: "Hello" }))).toMatchObject({
      status: "completed",
    });
  });

  test("fails the slot that is due, on record, and the next one waits", async () => {
    const { agent, name } = await freshScheduleAgent({ tasks: () => digest });
    setUpTasks(name, { tasks: broken });
    await ringAt(agent, EIGHT + HOUR);
    await expect
      .poll(() => occurrencesOf(agent, "digest"))
      .toMatchObject([{ outcome: "failed", error: "no database", attempts: 0 }]);
    expect(await wakeOf(agent)).toBe(EIGHT + 2 * HOUR);
    setUpTasks(name, { tasks: () => digest });
    await ringAt(agent, EIGHT + 2 * HOUR);
    expect(await agent.listSubmissions()).toHaveLength(1);
  });
});

describe("occurrences", () => {
  test("did it run on Monday, and if not, why? Page by page, newest first", async () => {
    const { agent } = await freshScheduleAgent({
      timezone: "UTC",
      tasks: () => ({
        report: {
          schedule: "every day at 09:00",
          retry: { maxAttempts: 1 },
          handler: ({ scheduledFor }) => {
            if (scheduledFor === EIGHT + HOUR + 2 * DAY) throw new Error("no paper");
          },
        },
      }),
    });
    for (const day of [0, 1, 2, 6]) await ringAt(agent, EIGHT + HOUR + day * DAY);
    const page = (cursor?: string) =>
      inside(agent, (instance) => instance.listOccurrences({ taskId: "report", limit: 2, cursor }));
    const first = await page();
    const second = await page(first.cursor);
    const third = await page(second.cursor);
    expect([first, second, third].map(({ occurrences }) => occurrences)).toMatchObject([
      [
        { outcome: "skipped", count: 3 },
        { outcome: "fired", scheduledFor: EIGHT + HOUR + 3 * DAY },
      ],
      [
        { outcome: "failed", error: "no paper", scheduledFor: EIGHT + HOUR + 2 * DAY },
        { outcome: "fired", scheduledFor: EIGHT + HOUR + DAY },
      ],
      [{ outcome: "fired", scheduledFor: EIGHT + HOUR }],
    ]);
    expect(third.cursor).toBeUndefined();
    const { events } = await agent.auditLog({ types: ["OccurrenceFailed", "OccurrenceSkipped"] });
    expect(events.map(({ type }) => type)).toEqual(["OccurrenceFailed", "OccurrenceSkipped"]);
  });

  test.each([
    ["taskId", {}],
    ["taskId", { taskId: " " }],
    ["limit", { taskId: "a", limit: "many" }],
    ["cursor", { taskId: "a", cursor: "asc.1" }],
  ])("bad input: %s", async (field, options) => {
    const { agent } = await freshScheduleAgent();
    const error = await inside(agent, (instance) =>
      instance.listOccurrences(options as never).catch((thrown: unknown) => thrown),
    );
    expect(error).toMatchObject({ name: "ThinkInputError", field });
  });
});
