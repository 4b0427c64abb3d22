import type { RunWorkflowOptions } from "agents/workflows";
import { describe, expect, test } from "vitest";
import type { AgentClient } from "../support/agents.ts";
import { begunOf, identityOf, paramsOf, type TestRun } from "../support/test-runs.ts";
import { heardBy, standBetween, type WorkflowAgent } from "../support/workflow-agent.ts";
import { freshWorkflowAgent, inside, runs } from "../support/workflow-agents.ts";

/** What Agent says of workflows holds of Think, whose runs are on record first: with real local Workflows. */

const start = (agent: AgentClient, params: TestRun, options?: RunWorkflowOptions): Promise<string> =>
  inside(agent, (instance) => instance.runWorkflow("TEST_RUNS", params, options));
const info = (agent: AgentClient, id: string) => inside(agent, (instance) => instance.getWorkflow(id));
const statusOf = async (agent: AgentClient, id: string) => (await info(agent, id))?.status;
const platformStatus = (agent: AgentClient, id: string) =>
  inside(agent, async (instance) => (await instance.getWorkflowStatus("TEST_RUNS", id)).status);
const begins = (id: string, times = 1) => expect.poll(() => begunOf(id)).toBe(times);

test("A-1, A-3: a run gets its params without what routes its calls, and knows itself", async () => {
  const { agent } = await freshWorkflowAgent();
  const id = await start(agent, { note: "mine" });
  await begins(id);
  expect(paramsOf(id)).toEqual({ note: "mine" });
  expect(identityOf(id)).toEqual(["TEST_RUNS", id]);
});

test("A-2: an instance that no agent started fails with the words that tell why", async () => {
  const id = crypto.randomUUID();
  const instance = await runs.create({ id });
  await expect.poll(async () => (await instance.status()).status).toBe("errored");
  const { error } = await instance.status();
  expect(error).toMatchObject({ message: expect.stringContaining("Use agent.runWorkflow() to start workflows") });
});

test("A-4: durable steps reach the agent's state", async () => {
  const { agent, name } = await freshWorkflowAgent();
  const id = await start(agent, { does: "state" });
  await expect.poll(() => heardBy(name)).toEqual([["complete", "TEST_RUNS", id, undefined]]);
  expect(await inside(agent, ({ state }) => state)).toEqual({ one: 1, two: 2 });
});

describe("A-5: an approval", () => {
  test("continues the run with its metadata", async () => {
    const { agent, name } = await freshWorkflowAgent();
    const id = await start(agent, { does: "approve" });
    await begins(id);
    await inside(agent, (instance) => instance.approveWorkflow(id, { metadata: { by: "me" } }));
    await expect.poll(() => heardBy(name)).toEqual([["complete", "TEST_RUNS", id, { approved: { by: "me" } }]]);
    expect(await statusOf(agent, id)).toBe("complete");
  });

  test("that is refused is an error, told once, with the reason", async () => {
    const { agent, name } = await freshWorkflowAgent();
    const id = await start(agent, { does: "approve" });
    await begins(id);
    await inside(agent, (instance) => instance.rejectWorkflow(id, { reason: "too dear" }));
    await expect.poll(() => heardBy(name)).toEqual([["error", "TEST_RUNS", id, "too dear"]]);
    expect(await info(agent, id)).toMatchObject({ status: "errored", error: { message: "too dear" } });
  });
});

test.each([
  ["fail", "the workflow failed"],
  ["fail-reported", "reported"],
  ["throw-text", "only text"],
] as const)("A-6: a run that ends by %s is heard of once", async (does, message) => {
  const { agent, name } = await freshWorkflowAgent();
  const id = await start(agent, { does });
  await expect.poll(() => platformStatus(agent, id)).toBe("errored");
  expect(heardBy(name)).toEqual([["error", "TEST_RUNS", id, message]]);
});

test("A-7: metadata is kept with the row, the retention goes to the platform", async () => {
  const { agent, name } = await freshWorkflowAgent();
  let asked: WorkflowInstanceCreateOptions | undefined;
  standBetween(name, {
    create: (create, options) => {
      asked = options;
      return create(options);
    },
  });
  const retention = { successRetention: "1 day", errorRetention: 60_000 } as const;
  const id = await start(agent, {}, { metadata: { for: "tests" }, retention });
  expect(asked).toMatchObject({ id, retention });
  expect(await info(agent, id)).toMatchObject({ workflowName: "TEST_RUNS", metadata: { for: "tests" } });
});

describe("A-8", () => {
  test("an event reaches a run, tracked or not", async () => {
    const { agent, name } = await freshWorkflowAgent();
    const id = await start(agent, { does: "wait" });
    await begins(id);
    await inside(agent, async (instance) => {
      expect(instance.deleteWorkflow(id)).toBe(true);
      await instance.sendWorkflowEvent("TEST_RUNS", id, { type: "word", payload: { word: "go" } });
    });
    await expect.poll(() => heardBy(name)).toEqual([["complete", "TEST_RUNS", id, { word: "go" }]]);
  });

  test.each([
    "approveWorkflow",
    "rejectWorkflow",
    "terminateWorkflow",
    "pauseWorkflow",
    "resumeWorkflow",
    "restartWorkflow",
  ] as const)("%s needs the tracking row", async (method) => {
    const { agent } = await freshWorkflowAgent();
    const call = inside(agent, (instance) => instance[method]("unknown"));
    await expect(call).rejects.toThrow("Workflow unknown not found in tracking table");
  });
});

test("A-9: progress makes it running, an event changes nothing, and both are heard", async () => {
  const { agent, name } = await freshWorkflowAgent();
  const id = await start(agent, { does: "talk" });
  await expect
    .poll(() => heardBy(name))
    .toEqual([
      ["progress", "TEST_RUNS", id, { step: "talk", percent: 0.5 }],
      ["event", "TEST_RUNS", id, { type: "talked" }],
    ]);
  expect(await statusOf(agent, id)).toBe("running");
});

test("A-9: what a terminated run tells does not make it complete", async () => {
  const { agent, name } = await freshWorkflowAgent();
  const id = await start(agent, { does: "wait" });
  await begins(id);
  await inside(agent, async (instance) => {
    await instance.terminateWorkflow(id);
    const told = { workflowName: "TEST_RUNS", workflowId: id, timestamp: 0 };
    await instance._workflow_handleCallback({ ...told, type: "complete", result: 1 });
  });
  expect(await statusOf(agent, id)).toBe("terminated");
  expect(heardBy(name)).toEqual([["complete", "TEST_RUNS", id, 1]]);
});

test("A-10: what is tracked is listed in pages, by status and metadata", async () => {
  const { agent } = await freshWorkflowAgent();
  const ids: string[] = [];
  for (const group of ["a", "a", "b"]) ids.push(await start(agent, { does: "wait" }, { metadata: { group } }));
  const list = (criteria: Parameters<WorkflowAgent["getWorkflows"]>[0]) =>
    inside(agent, (instance) => {
      const { workflows, total, nextCursor } = instance.getWorkflows(criteria);
      return { found: workflows.map(({ workflowId }) => workflowId), total, nextCursor };
    });
  const first = await list({ limit: 2 });
  expect(first).toMatchObject({ total: 3, nextCursor: expect.any(String) });
  const second = await list({ limit: 2, cursor: first.nextCursor ?? "" });
  expect(second.nextCursor).toBeNull();
  expect([...first.found, ...second.found].toSorted()).toEqual(ids.toSorted());
  expect(await list({ metadata: { group: "b" } })).toMatchObject({ found: [ids[2]], total: 1 });
  expect(await list({ status: "complete" })).toMatchObject({ found: [], total: 0 });
  await expect(list({ cursor: "nonsense" })).rejects.toThrow(
    "Invalid pagination cursor. The cursor may be malformed or corrupted.",
  );
});

describe("A-11: while it runs", () => {
  test("it can be paused, resumed and terminated", async () => {
    const { agent } = await freshWorkflowAgent();
    const id = await start(agent, { does: "wait" });
    await begins(id);
    await inside(agent, (instance) => instance.pauseWorkflow(id));
    expect(await statusOf(agent, id)).toMatch(/^(paused|waitingForPause)$/);
    await expect.poll(() => platformStatus(agent, id)).toBe("paused");
    await inside(agent, (instance) => instance.resumeWorkflow(id));
    await expect.poll(() => platformStatus(agent, id)).toMatch(/^(running|waiting)$/);
    await inside(agent, (instance) => instance.terminateWorkflow(id));
    expect(await statusOf(agent, id)).toBe("terminated");
  });

  test("it can be restarted: it is queued anew, and tells of its end again", async () => {
    const { agent, name } = await freshWorkflowAgent();
    const id = await start(agent, { does: "fail" });
    await expect.poll(() => statusOf(agent, id)).toBe("errored");
    await expect.poll(() => platformStatus(agent, id)).toBe("errored");
    await inside(agent, (instance) => instance.restartWorkflow(id));
    await begins(id, 2);
    await expect.poll(() => heardBy(name)).toHaveLength(2);
    expect(await statusOf(agent, id)).toBe("errored");
  });
});
