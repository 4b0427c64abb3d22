import { describe, expect, test } from "vitest";
import { alarmOf, type AgentClient, fireAlarm } from "../support/agents.ts";
import { dump, sql } from "../support/raw-log.ts";
import { begunOf, paramsOf, type TestRun } from "../support/test-runs.ts";
import { creationsOf, standBetween } from "../support/workflow-agent.ts";
import { asleep, freshWorkflowAgent, inside, kill, runs, storyOf, workflowAgent } from "../support/workflow-agents.ts";

const freshId = (): string => `run-${crypto.randomUUID()}`;
const run = (agent: AgentClient, id: string, params: TestRun = { does: "wait", note: "secret" }): Promise<string> =>
  inside(agent, (instance) => instance.runWorkflow("TEST_RUNS", params, { id, metadata: { for: "tests" } }));
const kinds = async (agent: AgentClient, id: string): Promise<string[]> =>
  (await storyOf(agent, id)).map(({ type }) => type);
const tracked = (agent: AgentClient, id: string) =>
  inside(agent, (instance) => instance.getWorkflows().workflows.filter(({ workflowId }) => workflowId === id));
/** The alarm comes back, without the time it would take. */
async function ring(agent: AgentClient): Promise<void> {
  await sql(agent, "UPDATE cf_agents_jobs SET time = 0 WHERE id = 'thinklog-workflows'");
  await fireAlarm(agent);
}
const never = new Promise<never>(() => {});

/** The instance is made and begins, but its agent never hears of it. */
async function startWithoutAnswer(name: string, agent: AgentClient, id: string): Promise<void> {
  standBetween(name, {
    create: async (create, options) => {
      await create(options);
      return never;
    },
  });
  run(agent, id).catch(() => {});
  await expect.poll(() => begunOf(id)).toBe(1);
}

/** One instance, which ran once, tracked once, and started once on record. */
async function expectOneRun(agent: AgentClient, id: string, adopted: boolean, unclear = false): Promise<void> {
  await expect.poll(() => begunOf(id)).toBe(1);
  expect(creationsOf(id)).toBe(1);
  expect(await tracked(agent, id)).toMatchObject([{ workflowName: "TEST_RUNS", metadata: { for: "tests" } }]);
  const story = await storyOf(agent, id);
  expect(story.map(({ type }) => type)).toEqual([
    "WorkflowRequested",
    ...(unclear ? ["WorkflowStartUnclear"] : []),
    "WorkflowStarted",
  ]);
  expect(story.at(-1)?.data).toEqual({ workflowName: "TEST_RUNS", workflowId: id, adopted });
  expect(paramsOf(id)).toEqual({ does: "wait", note: "secret" });
  expect(await dump(agent, "thinklog_payloads")).toEqual([]);
  expect(await dump(agent, "thinklog_workflow_requests")).toEqual([]);
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
  expect((await agent.rebuildProjections()).filter(({ differences }) => differences > 0)).toEqual([]);
}

describe("a start", () => {
  test("is on record before the instance is made, with its params beside the log until it runs", async () => {
    const { name, agent } = await freshWorkflowAgent();
    const id = freshId();
    const gate = Promise.withResolvers<void>();
    standBetween(name, { create: (create, options) => gate.promise.then(() => create(options)) });
    const started = run(agent, id);
    await expect.poll(() => kinds(agent, id)).toEqual(["WorkflowRequested"]);
    expect(await dump(agent, "thinklog_workflow_requests")).toHaveLength(1);
    expect(await alarmOf(agent)).toEqual(expect.any(Number));
    gate.resolve();
    expect(await started).toBe(id);
    await expectOneRun(agent, id, false);
    expect(JSON.stringify(await dump(agent, "thinklog_events"))).not.toContain("secret");
    await expect.poll(() => alarmOf(agent)).toBeNull();
  });

  test("gives an id of Agent's form when there is none", async () => {
    const { agent } = await freshWorkflowAgent();
    const id = await inside(agent, (instance) => instance.runWorkflow("TEST_RUNS", {}));
    expect(id).toMatch(/^wf_[A-Za-z0-9_-]{21}$/);
    expect(await kinds(agent, id)).toContain("WorkflowStarted");
  });

  test("A-7: of an id that is tracked is refused, before an instance is made", async () => {
    const { agent } = await freshWorkflowAgent();
    const id = freshId();
    await run(agent, id);
    await expect(run(agent, id)).rejects.toThrow(`Workflow with ID "${id}" is already being tracked`);
    await expectOneRun(agent, id, false);
  });

  test("A-7: without a binding is refused, and nothing is stored", async () => {
    const { agent } = await freshWorkflowAgent();
    const start = inside(agent, (instance) => instance.runWorkflow("NO_SUCH", {}));
    await expect(start).rejects.toThrow("Workflow binding 'NO_SUCH' not found in environment");
    expect((await agent.auditLog()).events).toEqual([]);
  });

  test("two at once under one id: the same one joins, another one is refused", async () => {
    const { agent } = await freshWorkflowAgent();
    const id = freshId();
    const [first, same, other] = await Promise.allSettled([run(agent, id), run(agent, id), run(agent, id, {})]);
    expect([first, same]).toEqual(Array.from({ length: 2 }, () => ({ status: "fulfilled", value: id })));
    expect(other.status).toBe("rejected");
    await expectOneRun(agent, id, false);
  });

  test("that fails is on record with its error, which the caller gets; the id is free again", async () => {
    const { name, agent } = await freshWorkflowAgent();
    const id = freshId();
    standBetween(name, { create: () => Promise.reject(new Error("quota exceeded")) });
    await expect(run(agent, id)).rejects.toThrow("quota exceeded");
    const story = await storyOf(agent, id);
    expect(story.at(-1)).toMatchObject({ type: "WorkflowRequestFailed", data: { error: "quota exceeded" } });
    expect(await tracked(agent, id)).toEqual([]);
    expect(await dump(agent, "thinklog_payloads")).toEqual([]);
    await expect.poll(() => alarmOf(agent)).toBeNull();

    standBetween(name, {});
    expect(await run(agent, id)).toBe(id);
    expect(await kinds(agent, id)).toEqual([
      "WorkflowRequested",
      "WorkflowRequestFailed",
      "WorkflowRequested",
      "WorkflowStarted",
    ]);
  });

  test("A-7: without a binding of the agent fails with Agent's own words", async () => {
    const { agent } = await freshWorkflowAgent();
    const message = await inside(agent, async (instance) => {
      const env = (instance as unknown as { env: Record<string, unknown> }).env;
      delete env["WorkflowAgent"];
      return instance.runWorkflow("TEST_RUNS", {}).catch((error: Error) => error.message);
    });
    expect(message).toBe(
      "Could not detect Agent binding name from class name. Pass it explicitly via options.agentBinding",
    );
  });
});

describe("FR-27: the object stops", () => {
  test("between the request and the instance: the next life makes it, without anybody calling", async () => {
    const { name, agent } = await freshWorkflowAgent();
    const id = freshId();
    let asked = false;
    standBetween(name, {
      create: () => {
        asked = true;
        return never;
      },
    });
    run(agent, id).catch(() => {});
    await expect.poll(() => asked).toBe(true);
    await kill(agent);
    standBetween(name, {});
    await fireAlarm(asleep(name));
    await expect.poll(() => begunOf(id)).toBe(1);
    await expectOneRun(await workflowAgent(name), id, false);
  });

  test("between the instance and its row: the next life adopts it", async () => {
    const { name, agent } = await freshWorkflowAgent();
    const id = freshId();
    await startWithoutAnswer(name, agent, id);
    expect(creationsOf(id)).toBe(1);
    await kill(agent);
    const next = await workflowAgent(name);
    await fireAlarm(next);
    await expectOneRun(next, id, true);
  });

  test("between the row and its record: the next life records it", async () => {
    const { name, agent } = await freshWorkflowAgent();
    const id = freshId();
    await inside(agent, (_, { storage }) => {
      storage.sql.exec(`CREATE TRIGGER test_no_start BEFORE INSERT ON thinklog_events
        WHEN NEW.type = 'WorkflowStarted' BEGIN SELECT RAISE(ABORT, 'stopped'); END`);
    });
    await expect(run(agent, id)).rejects.toThrow("stopped");
    expect(await tracked(agent, id)).toHaveLength(1);
    await kill(agent);
    const next = await workflowAgent(name);
    await inside(next, (_, { storage }) => void storage.sql.exec("DROP TRIGGER test_no_start"));
    await fireAlarm(next);
    await expectOneRun(next, id, true);
  });

  test("a retry under the same id joins what the next life finds", async () => {
    const { name, agent } = await freshWorkflowAgent();
    const id = freshId();
    await startWithoutAnswer(name, agent, id);
    await kill(agent);
    const next = await workflowAgent(name);
    expect(await run(next, id)).toBe(id);
    await fireAlarm(next);
    await expectOneRun(next, id, true);
  });
});

describe("FR-27, FR-28: an instance that is there counts, whatever was said", () => {
  test("a time-out after the instance was made", async () => {
    const { name, agent } = await freshWorkflowAgent();
    const id = freshId();
    standBetween(name, {
      create: async (create, options) => {
        await create(options);
        throw new Error("The request timed out");
      },
    });
    expect(await run(agent, id)).toBe(id);
    await expectOneRun(agent, id, true);
  });

  test("a tracking row that cannot be written: the run is adopted as soon as it can", async () => {
    const { agent } = await freshWorkflowAgent();
    const id = freshId();
    await inside(agent, (_, { storage }) => {
      storage.sql.exec(`CREATE TRIGGER test_no_row BEFORE INSERT ON cf_agents_workflows
        BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
    });
    await expect(run(agent, id)).rejects.toThrow("disk full");
    expect(await kinds(agent, id)).toEqual(["WorkflowRequested", "WorkflowStartUnclear"]);
    await inside(agent, (_, { storage }) => void storage.sql.exec("DROP TRIGGER test_no_row"));
    await ring(agent);
    await expectOneRun(agent, id, true, true);
  });

  test.each(["already exists", '(instance.already_exists) Workflow instance with id "x" already exists'])(
    "%s",
    async (message) => {
      const { name, agent } = await freshWorkflowAgent();
      const id = await (async () => {
        standBetween(name, {
          create: async (create, options) => {
            await create(options);
            throw new Error(message);
          },
          get: () => Promise.reject(new Error("nobody can tell")),
        });
        return inside(agent, (instance) => instance.runWorkflow("TEST_RUNS", { does: "wait" }));
      })();
      expect(await tracked(agent, id)).toHaveLength(1);
      expect(await kinds(agent, id)).toEqual(["WorkflowRequested", "WorkflowStarted"]);
    },
  );

  test("when nobody can tell, the start stays open, and the alarm finds the run", async () => {
    const { name, agent } = await freshWorkflowAgent();
    const id = freshId();
    let looks = 0;
    standBetween(name, {
      create: async (create, options) => {
        await create(options);
        throw new Error("Network connection lost.");
      },
      get: (get, one) => {
        looks += 1;
        return looks === 2 ? Promise.reject(new Error("Network connection lost.")) : get(one);
      },
    });
    await expect(run(agent, id)).rejects.toThrow("Network connection lost.");
    expect(await kinds(agent, id)).toEqual(["WorkflowRequested", "WorkflowStartUnclear"]);
    expect(await alarmOf(agent)).toEqual(expect.any(Number));
    await ring(agent);
    await expectOneRun(agent, id, true, true);
  });

  test("one that nobody could tell of and that is not there is not made later: its caller may have tried again", async () => {
    const { name, agent } = await freshWorkflowAgent();
    const id = freshId();
    standBetween(name, {
      create: () => Promise.reject(new Error("Network connection lost.")),
      get: () => Promise.reject(new Error("Network connection lost.")),
    });
    await expect(run(agent, id)).rejects.toThrow("Network connection lost.");
    await ring(agent);
    expect(await kinds(agent, id)).toEqual(["WorkflowRequested", "WorkflowStartUnclear"]);
    standBetween(name, {});
    await kill(agent);
    await fireAlarm(asleep(name));
    const next = await workflowAgent(name);
    await expect.poll(() => kinds(next, id)).toContain("WorkflowRequestFailed");
    expect(creationsOf(id)).toBe(0);
    expect(await run(next, id)).toBe(id);
    expect(creationsOf(id)).toBe(1);
  });

  test("a caller who tries again under the same id has it made", async () => {
    const { name, agent } = await freshWorkflowAgent();
    const id = freshId();
    standBetween(name, { get: () => Promise.reject(new Error("Network connection lost.")) });
    await expect(run(agent, id)).rejects.toThrow("Network connection lost.");
    standBetween(name, {});
    expect(await run(agent, id)).toBe(id);
    await expectOneRun(agent, id, false, true);
  });

  test("a start that the alarm finds hanging is adopted when its instance is there", async () => {
    const { name, agent } = await freshWorkflowAgent();
    const id = freshId();
    await startWithoutAnswer(name, agent, id);
    await ring(agent);
    await expect.poll(() => kinds(agent, id)).toEqual(["WorkflowRequested", "WorkflowStarted"]);
    await expectOneRun(agent, id, true);
    await kill(agent);
  });

  test("with no caller left, a failure of the platform is for the next try of the alarm", async () => {
    const { name, agent } = await freshWorkflowAgent();
    const id = freshId();
    standBetween(name, { create: () => never });
    run(agent, id).catch(() => {});
    await expect.poll(() => kinds(agent, id)).toEqual(["WorkflowRequested"]);
    await kill(agent);
    const transient = Object.assign(new Error("Network connection lost."), { retryable: true });
    standBetween(name, { create: () => Promise.reject(transient) });
    const next = await workflowAgent(name);
    await fireAlarm(next);
    await ring(next);
    expect(await kinds(next, id)).toEqual(["WorkflowRequested"]);
    standBetween(name, {});
    await ring(next);
    await expectOneRun(next, id, false);
  });

  test("a workflow that calls before its start is on record runs", async () => {
    const { name, agent } = await freshWorkflowAgent();
    const id = freshId();
    const gate = Promise.withResolvers<void>();
    standBetween(name, {
      create: async (create, options) => {
        const instance = await create(options);
        await gate.promise;
        return instance;
      },
    });
    const started = run(agent, id, { note: "quick" });
    await expect.poll(() => kinds(agent, id)).toEqual(["WorkflowRequested", "WorkflowStarted", "WorkflowReported"]);
    gate.resolve();
    expect(await started).toBe(id);
    expect(await tracked(agent, id)).toMatchObject([{ status: "complete" }]);
  });

  test("the local emulator refuses a second instance of an id, too; nothing here relies on it", async () => {
    const id = freshId();
    await runs.create({ id });
    await expect(runs.create({ id })).rejects.toThrow("already exists");
  });
});

describe("bad input", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  test.each([
    ["workflowName", "blank", [" ", {}]],
    ["workflowName", "missing", [undefined, {}]],
    ["params", "not-serializable", ["TEST_RUNS", { big: 1n }]],
    ["params", "not-serializable", ["TEST_RUNS", circle]],
    ["params", "not-an-object", ["TEST_RUNS", "text"]],
    ["params", "too-large", ["TEST_RUNS", { text: "x".repeat(1_048_577) }]],
    ["id", "blank", ["TEST_RUNS", {}, { id: "" }]],
    ["id", "too-long", ["TEST_RUNS", {}, { id: "x".repeat(101) }]],
    ["id", "invalid-id", ["TEST_RUNS", {}, { id: "-first" }]],
    ["id", "invalid-id", ["TEST_RUNS", {}, { id: "a/b" }]],
    ["metadata", "not-an-object", ["TEST_RUNS", {}, { metadata: 1 }]],
    ["retention.errorRetention", "invalid-retention", ["TEST_RUNS", {}, { retention: { errorRetention: {} } }]],
  ] as const)("%s %s", async (field, code, [name, params, options]) => {
    const { agent } = await freshWorkflowAgent();
    const error = await inside(agent, (instance) =>
      instance.runWorkflow(name as string, params, options as never).catch((thrown: unknown) => thrown),
    );
    expect(error).toMatchObject({ name: "ThinkInputError", field, code });
    expect((await agent.auditLog()).events).toEqual([]);
  });
});
