import { expect, test, vi } from "vitest";
import { stall, streamError, text } from "../../src/testing/index.ts";
import { crash, drain, freshAgent, inside, restart } from "../support/agents.ts";
import { modelCalled } from "../support/observe.ts";
import { heldReply, replies } from "../support/scripts.ts";
import { modelCallsOf, setUp, userMessage } from "../support/test-agent.ts";

/** Set up a hook that remembers, for all lives of an agent, the statuses it heard of each submission. */
function listen(name: string): (submissionId: string) => string[] {
  const heard: string[] = [];
  setUp(name, { statusHook: ({ submissionId, status }) => void heard.push(`${submissionId} ${status}`) });
  return (submissionId) =>
    heard.filter((line) => line.startsWith(`${submissionId} `)).map((line) => line.slice(submissionId.length + 1));
}

test("S-44: the hook hears pending, running and the end, each once and in order", async () => {
  const { name, agent } = await freshAgent();
  const heard = listen(name);
  await agent.submitMessages([userMessage("Hi")], { submissionId: "ok" });
  await agent.waitForSubmission("ok");
  setUp(name, { script: () => streamError("bad") });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "bad" });
  await agent.waitForSubmission("bad");
  await drain(agent);
  expect(heard("ok")).toEqual(["pending", "running", "completed"]);
  expect(heard("bad")).toEqual(["pending", "running", "error"]);
});

test("S-44: the hook gets the whole record of the change it hears of", async () => {
  const { name, agent } = await freshAgent();
  const heard: unknown[] = [];
  setUp(name, { statusHook: (submission) => void heard.push(submission) });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1", idempotencyKey: "k", metadata: { a: 1 } });
  const ended = await agent.waitForSubmission("s1");
  const record = { submissionId: "s1", requestId: "s1", idempotencyKey: "k", metadata: { a: 1 } };
  expect(heard).toMatchObject([
    { ...record, status: "pending" },
    { ...record, status: "running", startedAt: ended?.startedAt },
    { ...record, status: "completed", completedAt: ended?.completedAt, messageId: ended?.messageId },
  ]);
  expect(heard[2]).toEqual(ended);
});

test.for(["pending", "running", "completed"])("FR-21 S-44: a hook that throws on %s changes nothing", async (fatal) => {
  const { name, agent } = await freshAgent();
  const heard: string[] = [];
  const reported = vi.spyOn(console, "error").mockImplementation(() => {});
  setUp(name, {
    statusHook: ({ status }) => {
      heard.push(status);
      if (status === fatal) throw new Error("the hook is broken");
    },
  });
  expect(await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" })).toMatchObject({ accepted: true });
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
  expect(heard).toEqual(["pending", "running", "completed"]);
  expect(reported.mock.calls.flat().join(" ")).toContain("the hook is broken");
  reported.mockRestore();
});

test("FR-21: the model is not called inside the accepting call, however slow the hook", async () => {
  const { name, agent } = await freshAgent();
  await agent.getMessages();
  const before = await inside(agent, async (instance) => {
    await instance.submitMessages([userMessage("Hi")], { submissionId: "s1" });
    return modelCallsOf(name);
  });
  expect(before).toBe(0);
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
});

test("FR-21 S-44: after a crash in the middle of a turn the hook hears the rest, in order", async () => {
  const { name, agent: first } = await freshAgent();
  const heard = listen(name);
  setUp(name, { script: replies(stall("x"), text("answer")) });
  await first.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);
  const agent = await crash(first);
  await drain(agent);
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });

  // At least once: a change heard shortly before the crash may be told again, but never out of order.
  const expected = ["pending", "running", "pending", "running", "completed"];
  const told = heard("s1");
  expect(told.slice(0, 2)).toEqual(["pending", "running"]);
  expect(told.slice(told.length - 3)).toEqual(["pending", "running", "completed"]);
  expect([expected, ["pending", "running", ...expected]]).toContainEqual(told);
});

test("FR-21: a crash between an end and its hook does not lose the announcement", async () => {
  const { name, agent: first } = await freshAgent();
  const heard: string[] = [];
  let life = 1;
  setUp(name, {
    statusHook: async ({ status }) => {
      if (life === 1 && status === "completed") await new Promise(() => {});
      heard.push(status);
    },
  });
  await first.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await vi.waitFor(async () => expect((await first.inspectSubmission("s1"))?.status).toBe("completed"));
  expect(heard).not.toContain("completed");

  life = 2;
  const agent = await crash(first);
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
  expect(heard.at(-1)).toBe("completed");
});

test("FR-21: what the hook missed comes before what happens after the restart", async () => {
  const { name, agent: first } = await freshAgent();
  const heard = listen(name);
  setUp(name, { script: () => stall("x") });
  await first.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);
  const agent = await crash(first);
  await agent.cancelSubmission("s1", "stop");
  await drain(agent);
  expect(heard("s1").at(-1)).toBe("aborted");
  expect(heard("s1").filter((status) => status === "aborted")).toHaveLength(1);
});

test("FR-21: an agent that was idle does not hear old changes again after a restart", async () => {
  const { name, agent } = await freshAgent();
  const heard = listen(name);
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await agent.waitForSubmission("s1");
  await drain(agent);
  await restart(agent);
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s2" });
  await agent.waitForSubmission("s2");
  expect(heard("s1")).toEqual(["pending", "running", "completed"]);
});

test("S-44: a slow hook of one submission holds up no other submission", async () => {
  const { name, agent } = await freshAgent();
  const gate = Promise.withResolvers<void>();
  setUp(name, {
    statusHook: ({ submissionId, status }) =>
      submissionId === "slow" && status === "running" ? gate.promise : undefined,
  });
  await agent.submitMessages([userMessage("A")], { submissionId: "slow" });
  await agent.submitMessages([userMessage("B")], { submissionId: "fast" });
  expect(await agent.waitForSubmission("fast")).toMatchObject({ status: "completed" });
  gate.resolve();
  expect(await agent.waitForSubmission("slow")).toMatchObject({ status: "completed" });
});

test("S-44: a hook may submit, inspect and cancel without waiting for itself", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  const seen: unknown[] = [];
  setUp(name, {
    ...held,
    statusHook: async ({ submissionId, status }, instance) => {
      if (submissionId !== "s1" || status !== "running") return;
      seen.push((await instance.inspectSubmission("s1"))?.status);
      seen.push((await instance.submitMessages([userMessage("next")], { submissionId: "s2" })).status);
      seen.push((await instance.cancelSubmission("s1", "by the hook")).outcome);
    },
  });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "aborted", error: "by the hook" });
  held.open();
  expect(await agent.waitForSubmission("s2")).toMatchObject({ status: "completed" });
  expect(seen).toEqual(["running", "pending", "cancelled"]);
});
