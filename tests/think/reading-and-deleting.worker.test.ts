import { afterEach, expect, test, vi } from "vitest";
import { textAround } from "../../src/testing/index.ts";
import { type AgentClient, freshAgent, inside, restart } from "../support/agents.ts";
import { eventTypes, listedIds, modelCalled } from "../support/observe.ts";
import { modelCallsOf, setUp, userMessage } from "../support/test-agent.ts";

afterEach(() => void vi.useRealTimers());

/** Completed submissions, one after the other, each a second after the one before. */
async function completed(agent: AgentClient, ...ids: string[]): Promise<number[]> {
  vi.useFakeTimers({ toFake: ["Date"] });
  const ends: number[] = [];
  for (const submissionId of ids) {
    vi.setSystemTime(Date.now() + 1_000);
    await agent.submitMessages([userMessage("Hi")], { submissionId });
    const ended = await agent.waitForSubmission(submissionId);
    ends.push(ended?.completedAt ?? 0);
  }
  return ends;
}

/** `running` runs and does not end; `pending` waits behind it. */
async function busy(name: string, agent: AgentClient): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  const callsBefore = modelCallsOf(name);
  setUp(name, { script: () => textAround("before", gate.promise, "after") });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "running" });
  await modelCalled(name, callsBefore + 1);
  await agent.submitMessages([userMessage("Hi")], { submissionId: "pending" });
  return gate.resolve;
}

test("S-34: an unknown submission is null, a known one its record, also after a restart", async () => {
  const { agent } = await freshAgent();
  expect(await agent.inspectSubmission("nobody")).toBeNull();
  const options = { submissionId: "s1", idempotencyKey: "k", metadata: { a: 1 } };
  await agent.submitMessages([userMessage("Hi")], options);
  const ended = await agent.waitForSubmission("s1");
  expect(ended).toEqual({
    ...options,
    requestId: "s1",
    status: "completed",
    createdAt: expect.any(Number),
    startedAt: expect.any(Number),
    completedAt: expect.any(Number),
    messageId: expect.any(String),
  });
  await restart(agent);
  expect(await agent.inspectSubmission("s1")).toEqual(ended);
  expect(await agent.listSubmissions()).toEqual([ended]);
});

test("S-34: a blocking turn is not a submission", async () => {
  const { agent } = await freshAgent();
  const { requestId } = await agent.saveMessages([userMessage("Hi")]);
  expect(await agent.inspectSubmission(requestId)).toBeNull();
  expect(await agent.listSubmissions()).toEqual([]);
  expect(await agent.cancelSubmission(requestId)).toMatchObject({ outcome: "not_found" });
  expect(await agent.deleteSubmission(requestId)).toBe(false);
});

test("S-35: the listing is newest first, filtered before it is limited, several statuses merged", async () => {
  const { name, agent } = await freshAgent();
  await completed(agent, "c1", "c2", "c3");
  const release = await busy(name, agent);

  expect(await listedIds(agent)).toEqual(["pending", "running", "c3", "c2", "c1"]);
  expect(await listedIds(agent, { status: "completed", limit: 2 })).toEqual(["c3", "c2"]);
  expect(await listedIds(agent, { status: ["completed", "pending"], limit: 2 })).toEqual(["pending", "c3"]);
  expect(await listedIds(agent, { status: "running" })).toEqual(["running"]);
  expect(await listedIds(agent, { status: ["skipped", "aborted", "error"] })).toEqual([]);
  expect(await listedIds(agent, { status: [] })).toEqual([]);
  release();
});

test("S-35: the limit is 50 unless given, and clamped to 1 and 100", async () => {
  const { name, agent } = await freshAgent();
  const release = await busy(name, agent);
  await inside(agent, async (instance) => {
    for (let n = 0; n < 110; n += 1) await instance.submitMessages([userMessage("Hi")]);
  });
  expect(await agent.listSubmissions()).toHaveLength(50);
  expect(await agent.listSubmissions({ limit: 1_000 })).toHaveLength(100);
  expect(await agent.listSubmissions({ limit: 0 })).toHaveLength(1);
  expect(await agent.listSubmissions({ limit: -5 })).toHaveLength(1);
  await inside(agent, (instance) => instance.reset());
  release();
});

test("S-36: delete removes an ended submission, and neither an unknown nor an active one", async () => {
  const { name, agent } = await freshAgent();
  await completed(agent, "c1");
  const release = await busy(name, agent);
  expect(await agent.deleteSubmission("c1")).toBe(true);
  expect(await agent.inspectSubmission("c1")).toBeNull();
  expect(await agent.deleteSubmission("c1")).toBe(false);
  expect(await agent.deleteSubmission("nobody")).toBe(false);
  expect(await agent.deleteSubmission("running")).toBe(false);
  expect(await agent.deleteSubmission("pending")).toBe(false);
  expect(await listedIds(agent)).toEqual(["pending", "running"]);
  release();
});

test("S-36: what is deleted loses its content, and its events stay", async () => {
  const { agent } = await freshAgent();
  const options = { submissionId: "s1", metadata: { secret: "metadata" } };
  await agent.submitMessages([userMessage("a secret question")], options);
  await agent.waitForSubmission("s1");
  await agent.deleteSubmission("s1");
  const payloads = await inside(agent, (_, { storage }) =>
    storage.sql.exec("SELECT * FROM thinklog_payloads").toArray(),
  );
  expect(payloads).toEqual([]);
  expect((await eventTypes(agent, "s1")).at(-1)).toBe("TurnDeleted");
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
});

test("S-37: bulk deletion takes what ended first, up to the limit, and says how many", async () => {
  const { agent } = await freshAgent();
  await completed(agent, "c1", "c2", "c3");
  expect(await agent.deleteSubmissions({ status: "completed", limit: 2 })).toBe(2);
  expect(await listedIds(agent)).toEqual(["c3"]);
  expect(await agent.deleteSubmissions()).toBe(1);
  expect(await agent.deleteSubmissions()).toBe(0);
});

test("S-37: completedBefore is strict and spares what has not ended", async () => {
  const { name, agent } = await freshAgent();
  const [, second = 0] = await completed(agent, "c1", "c2", "c3");
  const release = await busy(name, agent);
  expect(await agent.deleteSubmissions({ completedBefore: new Date(second) })).toBe(1);
  expect(await listedIds(agent)).toEqual(["pending", "running", "c3", "c2"]);
  expect(await agent.deleteSubmissions({ completedBefore: new Date(second + 1) })).toBe(1);
  expect(await listedIds(agent)).toEqual(["pending", "running", "c3"]);
  release();
});

test("S-37: active statuses may be named and are never deleted", async () => {
  const { name, agent } = await freshAgent();
  await completed(agent, "c1");
  const release = await busy(name, agent);
  expect(await agent.deleteSubmissions({ status: ["pending", "running"] })).toBe(0);
  expect(await agent.deleteSubmissions({ status: ["pending", "running", "completed"] })).toBe(1);
  expect(await listedIds(agent)).toEqual(["pending", "running"]);
  release();
});

test("S-37: the default takes all four terminal statuses", async () => {
  const { name, agent } = await freshAgent();
  await completed(agent, "completed");
  const release = await busy(name, agent);
  await inside(agent, (instance) => instance.reset());
  release();
  expect((await agent.listSubmissions()).map(({ status }) => status)).toEqual(["skipped", "aborted", "completed"]);
  setUp(name, {
    beforeModel: () => {
      throw new Error("no");
    },
  });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "error" });
  await agent.waitForSubmission("error");
  expect(await agent.deleteSubmissions()).toBe(4);
});

test("S-37 FR-41: five hundred are deleted in one call", async () => {
  const { name, agent } = await freshAgent();
  const release = await busy(name, agent);
  await inside(agent, async (instance) => {
    for (let n = 0; n < 510; n += 1) await instance.submitMessages([userMessage("Hi")]);
    instance.reset();
  });
  release();
  expect(await agent.deleteSubmissions({ limit: 10_000 })).toBe(500);
  expect(await agent.listSubmissions({ limit: 100 })).toHaveLength(12);
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
});
