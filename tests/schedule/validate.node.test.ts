import { describe, expect, test } from "vitest";
import { checkTasks } from "../../src/schedule/declared.ts";
import type { ThinkScheduledTask, ThinkScheduledTasks } from "../../src/schedule/types.ts";
import { checkTask } from "../../src/schedule/validate.ts";
import { expectInputError } from "../support/input-error.ts";

const daily = { schedule: "every day at 09:00 in UTC", prompt: "Go" } as const;
const of = (task: unknown) => task as ThinkScheduledTask;

describe("a declared task", () => {
  test("comes out with its schedule understood, its retries filled in and its data copied", () => {
    const metadata = { kind: "digest", gone: undefined };
    const task = checkTask("daily-digest_1", { ...daily, metadata });
    expect(task).toEqual({
      id: "daily-digest_1",
      schedule: expect.objectContaining({ kind: "wall-clock", timeZone: "UTC" }),
      action: { kind: "prompt", prompt: "Go" },
      retry: { maxAttempts: 3, baseDelayMs: 100, maxDelayMs: 3000 },
      metadata: { kind: "digest" },
    });
    metadata.kind = "changed";
    expect(task.metadata).toEqual({ kind: "digest" });
  });

  test.each(["", "a b", "daily:digest", "täglich", "a.b"])("has an id of letters, digits and dashes: %o", (id) => {
    expectInputError(() => checkTask(id, daily), "invalid-task-id", "taskId");
    const message = `Invalid scheduled task id "${id}"; use letters, numbers, "_" or "-"`;
    expect(() => checkTask(id, daily)).toThrow(message);
  });

  test("C-1: has one of prompt and handler", () => {
    const message = 'Scheduled task "t" must define exactly one of prompt or handler';
    for (const action of [{}, { prompt: "Go", handler: () => {} }, { prompt: null }]) {
      const task = of({ schedule: "every 1 hour", ...action });
      expectInputError(() => checkTask("t", task), "prompt-or-handler", "prompt");
      expect(() => checkTask("t", task)).toThrow(message);
    }
    expect(checkTask("t", of({ schedule: "every 1 hour", prompt: "Go", handler: null })).action.kind).toBe("prompt");
  });

  test("has a prompt or handler that can be used", () => {
    expectInputError(() => checkTask("t", of({ ...daily, prompt: 5 })), "invalid-action", "prompt");
    const handled = of({ schedule: "every 1 hour", handler: "run" });
    expectInputError(() => checkTask("t", handled), "invalid-action", "handler");
  });

  test("has its functions called on itself", async () => {
    const task = {
      schedule: "every 1 hour",
      topic: "news",
      prompt() {
        return `About ${this.topic}`;
      },
    } as const;
    const { action } = checkTask("t", task);
    if (action.kind !== "prompt" || typeof action.prompt !== "function") throw new Error("no function");
    expect(await action.prompt()).toBe("About news");
  });

  test("is an object with a schedule in words", () => {
    for (const task of [null, undefined, "every 1 hour"]) {
      expectInputError(() => checkTask("t", of(task)), "not-an-object", "task");
    }
    expectInputError(() => checkTask("t", of({ prompt: "Go" })), "not-a-string", "schedule");
    expectInputError(() => checkTask("t", of({ ...daily, metadata: [1] })), "not-an-object", "metadata");
    expectInputError(() => checkTask("t", of({ ...daily, metadata: { n: 1n } })), "not-serializable", "metadata");
  });

  test.each([
    ["maxAttempts", { maxAttempts: 0 }, "retry.maxAttempts must be >= 1"],
    ["maxAttempts", { maxAttempts: Number.NaN }, "retry.maxAttempts must be >= 1"],
    ["maxAttempts", { maxAttempts: 1.5 }, "retry.maxAttempts must be an integer"],
    ["baseDelayMs", { baseDelayMs: 0 }, "retry.baseDelayMs must be > 0"],
    ["maxDelayMs", { maxDelayMs: -1 }, "retry.maxDelayMs must be > 0"],
    ["baseDelayMs", { baseDelayMs: 500, maxDelayMs: 100 }, "retry.baseDelayMs must be <= retry.maxDelayMs"],
    ["baseDelayMs", { baseDelayMs: 5000 }, "retry.baseDelayMs must be <= retry.maxDelayMs"],
    ["maxAttempts", { maxAttempts: "3" }, "retry.maxAttempts must be >= 1"],
  ])("C-32: a retry option out of range is told when it is declared (%s %j)", (field, retry, message) => {
    const task = of({ ...daily, retry });
    expectInputError(() => checkTask("t", task), "invalid-retry", `retry.${field}`);
    expect(() => checkTask("t", task)).toThrow(message);
  });
});

describe("the declared tasks", () => {
  test("C-22: what is wrong with one leaves the others alone", () => {
    const declared = {
      good: daily,
      bad: { ...daily, schedule: "every day at 25:00 in UTC" },
      "b d": daily,
      late: daily,
    };
    const { tasks, problems } = checkTasks(declared as unknown as ThinkScheduledTasks);
    expect([...tasks.keys()]).toEqual(["good", "late"]);
    expect(problems.map(({ taskId, error }) => [taskId, error.code])).toEqual([
      ["bad", "invalid-time"],
      ["b d", "invalid-task-id"],
    ]);
  });

  test("C-11: a default time zone that is none is told even if no task needs it", () => {
    const { tasks, problems } = checkTasks({ daily }, "Nowhere");
    expect([...tasks.keys()]).toEqual(["daily"]);
    expect(problems).toEqual([{ error: expect.objectContaining({ message: 'Invalid timezone "Nowhere"' }) }]);
  });

  test("C-11: a task that needs it is told too", () => {
    const { tasks, problems } = checkTasks({ t: { schedule: "every day at 09:00", prompt: "Go" }, daily }, "Nowhere");
    expect([...tasks.keys()]).toEqual(["daily"]);
    expect(problems.map(({ taskId }) => taskId)).toEqual([undefined, "t"]);
  });

  test("are an object", () => {
    for (const declared of [null, undefined, [], "daily"]) {
      const check = () => checkTasks(declared as unknown as ThinkScheduledTasks);
      expectInputError(check, "not-an-object", "getScheduledTasks()");
    }
    expect(checkTasks({})).toEqual({ tasks: new Map(), problems: [] });
  });
});
