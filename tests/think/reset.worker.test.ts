import { expect, test, vi } from "vitest";
import { freshAgent, inside, restart } from "../support/agents.ts";
import { allEventTypes, eventTypes, modelCalled, transcript } from "../support/observe.ts";
import { heldReply } from "../support/scripts.ts";
import { modelCallsOf, setUp, userMessage } from "../support/test-agent.ts";

const SKIPPED = { status: "skipped", error: "Submission was skipped by turn reset." };
const RESET = { status: "aborted", error: "Turn state reset" };

/** A running submission `a`, with `b` and `c` waiting behind it. */
async function busyAgent() {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  const heard: string[] = [];
  setUp(name, { ...held, statusHook: ({ submissionId, status }) => void heard.push(`${submissionId} ${status}`) });
  await agent.submitMessages([userMessage("A")], { submissionId: "a" });
  await modelCalled(name, 1);
  await agent.submitMessages([userMessage("B")], { submissionId: "b" });
  await agent.submitMessages([userMessage("C")], { submissionId: "c" });
  return { name, agent, held, heard };
}

test("S-29 S-33: a reset skips what waits, synchronously, and aborts what runs; what comes after it runs", async () => {
  const { name, agent, heard } = await busyAgent();
  const atOnce = await inside(agent, async (instance, { storage }) => {
    instance.reset();
    const live = storage.sql.exec("SELECT * FROM thinklog_queue").toArray();
    return { live, b: await instance.inspectSubmission("b") };
  });
  expect(atOnce).toMatchObject({ live: [], b: SKIPPED });
  expect(await agent.inspectSubmission("a")).toMatchObject(RESET);
  expect(await agent.inspectSubmission("c")).toMatchObject(SKIPPED);

  await agent.submitMessages([userMessage("D")], { submissionId: "d" });
  expect(await agent.waitForSubmission("d")).toMatchObject({ status: "completed" });
  expect(await transcript(agent)).toEqual(["user: A", "user: D", "assistant: Hello"]);
  expect(modelCallsOf(name)).toBe(2);
  await vi.waitFor(() => expect(heard).toContain("c skipped"));
  expect(heard.filter((line) => /aborted|skipped/.test(line))).toEqual(["a aborted", "b skipped", "c skipped"]);
});

test("S-29: a reset holds after a restart", async () => {
  const { name, agent, held } = await busyAgent();
  await inside(agent, (instance) => instance.reset());
  held.open();
  await restart(agent);
  expect(await agent.inspectSubmission("b")).toMatchObject(SKIPPED);
  await agent.submitMessages([userMessage("D")], { submissionId: "d" });
  expect(await agent.waitForSubmission("d")).toMatchObject({ status: "completed" });
  expect(modelCallsOf(name)).toBe(2);
});

test("S-33 T-76: on a reset a streaming blocking turn is aborted and stores nothing, a waiting one is skipped", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  setUp(name, held);
  const streaming = agent.saveMessages([userMessage("A")]);
  await modelCalled(name, 1);
  const waiting = agent.saveMessages([userMessage("B")]);
  await vi.waitFor(async () => expect(await allEventTypes(agent)).toHaveLength(4));
  await inside(agent, (instance) => instance.reset());
  expect(await Promise.all([streaming, waiting])).toMatchObject([{ status: "aborted" }, { status: "skipped" }]);
  held.open();
  expect(await transcript(agent)).toEqual(["user: A"]);
});

test("FR-20: clearing settles what was queued, deletes the conversation, and a later submission runs normally", async () => {
  const { agent, held, heard } = await busyAgent();
  await agent.clearMessages();
  expect(await agent.getMessages()).toEqual([]);
  expect(await agent.inspectSubmission("a")).toMatchObject(RESET);
  expect(await agent.inspectSubmission("b")).toMatchObject(SKIPPED);
  expect(await agent.inspectSubmission("c")).toMatchObject(SKIPPED);
  expect(heard.filter((line) => /aborted|skipped/.test(line))).toEqual(["a aborted", "b skipped", "c skipped"]);
  held.open();

  await agent.submitMessages([userMessage("D")], { submissionId: "d" });
  expect(await agent.waitForSubmission("d")).toMatchObject({ status: "completed" });
  expect(await transcript(agent)).toEqual(["user: D", "assistant: Hello"]);
  await restart(agent);
  expect(await transcript(agent)).toEqual(["user: D", "assistant: Hello"]);
});

test("FR-20: what was settled by a clear stays in the log, with one terminal event each", async () => {
  const { agent, held } = await busyAgent();
  await agent.clearMessages();
  held.open();
  expect((await eventTypes(agent, "a")).at(-1)).toBe("TurnAborted");
  expect(await eventTypes(agent, "b")).toEqual(["TurnSubmitted", "TurnSkipped"]);
  const { events } = await agent.auditLog({ types: ["LaneReset"] });
  expect(events).toMatchObject([{ data: { generation: 1, reason: "clear" } }]);
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
});

test("S-33: a reset of an idle agent is on record and disturbs nothing", async () => {
  const { agent } = await freshAgent();
  await agent.submitMessages([userMessage("A")], { submissionId: "a" });
  const ended = await agent.waitForSubmission("a");
  await inside(agent, (instance) => instance.reset());
  expect(await agent.inspectSubmission("a")).toEqual(ended);
  expect(await transcript(agent)).toEqual(["user: A", "assistant: Hello there"]);
  expect((await allEventTypes(agent)).at(-1)).toBe("LaneReset");
});

test("FR-20: a hook may reset and clear without waiting for itself", async () => {
  const { name, agent } = await freshAgent();
  let cleared = false;
  setUp(name, {
    statusHook: async ({ status }, instance) => {
      if (status !== "completed" || cleared) return;
      cleared = true;
      await instance.clearMessages();
    },
  });
  await agent.submitMessages([userMessage("A")], { submissionId: "a" });
  expect(await agent.waitForSubmission("a")).toMatchObject({ status: "completed" });
  expect(await agent.getMessages()).toEqual([]);
});
