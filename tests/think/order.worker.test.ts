import { afterEach, expect, test, vi } from "vitest";
import { type AgentClient, drain, fireAlarm, freshAgent, inside } from "../support/agents.ts";
import { allEventTypes, eventTypes, listedIds, modelCalled, transcript } from "../support/observe.ts";
import { heldReply } from "../support/scripts.ts";
import { modelCallsOf, promptsOf, setUp, userMessage } from "../support/test-agent.ts";

afterEach(() => void vi.useRealTimers());

const NUMBERED = Array.from({ length: 20 }, (_, index) => `m${index + 1}`);

const questions = async (agent: AgentClient): Promise<string[]> =>
  (await transcript(agent)).filter((line) => line.startsWith("user: ")).map((line) => line.slice("user: ".length));

/** The newest user message of each prompt the model got. */
const asked = (name: string): unknown[] =>
  promptsOf(name).map((prompt) => {
    const last = (prompt as { role: string; content: { text: string }[] }[]).findLast(({ role }) => role === "user");
    return last?.content[0]?.text;
  });

test("FR-01 S-22: submissions of one millisecond run in the order of their acceptance and list in reverse", async () => {
  const { name, agent } = await freshAgent();
  vi.useFakeTimers({ toFake: ["Date"] });
  const ids: string[] = [];
  for (const content of NUMBERED) ids.push((await agent.submitMessages([userMessage(content)])).submissionId);
  await agent.waitForSubmission(ids.at(-1) ?? "");

  expect(await questions(agent)).toEqual(NUMBERED);
  expect(asked(name)).toEqual(NUMBERED);
  expect(await listedIds(agent)).toEqual(ids.toReversed());
  expect(new Set((await agent.listSubmissions()).map(({ createdAt }) => createdAt)).size).toBe(1);
});

test("FR-01: a clock that steps back changes no order", async () => {
  const { name, agent } = await freshAgent();
  vi.useFakeTimers({ toFake: ["Date"] });
  const ids: string[] = [];
  for (const content of NUMBERED) {
    if (content === "m11") vi.setSystemTime(Date.now() - 1_000);
    ids.push((await agent.submitMessages([userMessage(content)])).submissionId);
  }
  vi.setSystemTime(Date.now() + 2_000);
  await agent.waitForSubmission(ids.at(-1) ?? "");

  expect(await questions(agent)).toEqual(NUMBERED);
  expect(asked(name)).toEqual(NUMBERED);
  expect(await listedIds(agent)).toEqual(ids.toReversed());
});

test("S-22: a slow pending hook does not let a later submission overtake", async () => {
  const { name, agent } = await freshAgent();
  const gate = Promise.withResolvers<void>();
  setUp(name, {
    statusHook: ({ submissionId, status }) =>
      submissionId === "slow" && status === "pending" ? gate.promise : undefined,
  });
  const slow = agent.submitMessages([userMessage("A")], { submissionId: "slow" });
  await vi.waitFor(async () => expect(await agent.inspectSubmission("slow")).not.toBeNull());
  await agent.submitMessages([userMessage("B")], { submissionId: "fast" });
  expect(await agent.waitForSubmission("fast")).toMatchObject({ status: "completed" });
  expect(await questions(agent)).toEqual(["A", "B"]);
  gate.resolve();
  expect(await slow).toMatchObject({ accepted: true, status: "pending" });
});

test("S-22: one submission runs at a time, and those that wait are pending", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("A")], { submissionId: "a" });
  await modelCalled(name, 1);
  await agent.submitMessages([userMessage("B")], { submissionId: "b" });
  await fireAlarm(agent);

  expect(await agent.inspectSubmission("a")).toMatchObject({ status: "running" });
  expect(await agent.inspectSubmission("b")).toMatchObject({ status: "pending" });
  expect(modelCallsOf(name)).toBe(1);
  held.open();
  await agent.waitForSubmission("b");
  expect((await allEventTypes(agent)).filter((type) => /^Turn(Claimed|Completed)$/.test(type))).toEqual([
    "TurnClaimed",
    "TurnCompleted",
    "TurnClaimed",
    "TurnCompleted",
  ]);
});

test("S-23: an alarm for a submission that is no longer pending does nothing", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("A")], { submissionId: "a" });
  await modelCalled(name, 1);
  await agent.submitMessages([userMessage("B")], { submissionId: "b" });
  await agent.cancelSubmission("b");
  held.open();
  await agent.waitForSubmission("a");
  await drain(agent);

  expect(await eventTypes(agent, "b")).toEqual(["TurnSubmitted", "TurnAborted"]);
  expect(modelCallsOf(name)).toBe(1);
});

test("S-24: a submission takes its place among blocking turns", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  setUp(name, held);
  const first = agent.saveMessages([userMessage("first")]);
  await modelCalled(name, 1);
  await agent.submitMessages([userMessage("second")], { submissionId: "s2" });
  const third = agent.saveMessages([userMessage("third")]);
  held.open();
  expect(await Promise.all([first, third])).toMatchObject([{ status: "completed" }, { status: "completed" }]);
  expect(await questions(agent)).toEqual(["first", "second", "third"]);
});

test("S-25: what waits is not in the conversation, and all of its messages enter it with its claim", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("A")]);
  await modelCalled(name, 1);
  await agent.submitMessages([userMessage("B1"), userMessage("B2"), userMessage("B3")], { submissionId: "b" });
  expect(await questions(agent)).toEqual(["A"]);

  held.open();
  await agent.waitForSubmission("b");
  expect(await questions(agent)).toEqual(["A", "B1", "B2", "B3"]);
  const { events } = await agent.auditLog({ submissionId: "b" });
  const [claimed, applied] = events.filter(({ type }) => type === "TurnClaimed" || type === "MessagesApplied");
  expect(applied?.position).toBe((claimed?.position ?? 0) + 1);
});

test("S-22: another request is answered while a long queue drains", async () => {
  const { name, agent } = await freshAgent();
  await agent.getMessages();
  await inside(agent, async (instance) => {
    for (let n = 0; n < 60; n += 1) await instance.submitMessages([userMessage(`m${n}`)]);
  });
  await modelCalled(name, 1);
  await agent.inspectSubmission("unknown");
  expect(modelCallsOf(name)).toBeLessThan(60);
  await vi.waitFor(() => expect(modelCallsOf(name)).toBe(60), { timeout: 15_000 });
});
