import { expect, test } from "vitest";
import { stall, text } from "../../src/testing/index.ts";
import { crash, drain, freshAgent, inside } from "../support/agents.ts";
import { allEventTypes, eventTypes, modelCalled, transcript } from "../support/observe.ts";
import { heldReply, replies } from "../support/scripts.ts";
import { modelCallsOf, setUp, userMessage } from "../support/test-agent.ts";

const TERMINAL = /^Turn(Completed|Failed|Aborted|Skipped)$/;
const terminals = (types: string[]): string[] => types.filter((type) => TERMINAL.test(type));

test("S-30: cancelling an unknown submission says so and leaves no event", async () => {
  const { agent } = await freshAgent();
  expect(await agent.cancelSubmission("nobody")).toEqual({ outcome: "not_found", submissionId: "nobody" });
  expect(await allEventTypes(agent)).toEqual([]);
});

test("S-30: cancelling an ended submission changes nothing and leaves no event", async () => {
  const { agent } = await freshAgent();
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  const ended = await agent.waitForSubmission("s1");
  const before = await allEventTypes(agent);
  expect(await agent.cancelSubmission("s1", "too late")).toEqual({
    outcome: "already_terminal",
    submissionId: "s1",
    submission: ended,
  });
  expect(await allEventTypes(agent)).toEqual(before);
});

test("S-30: a pending submission that is cancelled never runs and its messages never enter the conversation", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("A")], { submissionId: "a" });
  await modelCalled(name, 1);
  await agent.submitMessages([userMessage("B")], { submissionId: "b" });
  expect(await agent.cancelSubmission("b", "not needed")).toMatchObject({
    outcome: "cancelled",
    previousStatus: "pending",
    messagesApplied: false,
    submission: { status: "aborted", error: "not needed" },
  });
  held.open();
  await agent.waitForSubmission("a");
  await drain(agent);
  expect(await transcript(agent)).toEqual(["user: A", "assistant: before after"]);
  expect(modelCallsOf(name)).toBe(1);
});

test("S-30 S-20: a streaming submission is stopped, its partial answer is kept and linked", async () => {
  const { name, agent } = await freshAgent();
  setUp(name, { script: replies(stall("half an "), text("next")) });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);
  // Nothing tells that the words so far have been read from the stream.
  await scheduler.wait(20);
  expect(await agent.cancelSubmission("s1", "stop")).toMatchObject({
    outcome: "cancelled",
    previousStatus: "running",
    messagesApplied: true,
    submission: { status: "aborted", error: "stop" },
  });
  await agent.submitMessages([userMessage("next")], { submissionId: "s2" });
  await agent.waitForSubmission("s2");

  const answer = (await agent.getMessages())[1];
  expect(answer).toMatchObject({ role: "assistant" });
  expect(await agent.inspectSubmission("s1")).toMatchObject({
    status: "aborted",
    error: "stop",
    messageId: answer?.id,
  });
  expect(await eventTypes(agent, "s1")).toEqual([
    "TurnSubmitted",
    "TurnClaimed",
    "MessagesApplied",
    "TurnAborted",
    "MessageLinked",
  ]);
});

test("S-30: a cancelled submission is released, and the next one runs, although the model never answers", async () => {
  const { name, agent } = await freshAgent();
  setUp(name, { script: ({ index }) => (index === 0 ? new Promise<never>(() => {}) : text("fine")) });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);
  await agent.submitMessages([userMessage("next")], { submissionId: "s2" });
  await agent.cancelSubmission("s1");
  expect(await agent.waitForSubmission("s2")).toMatchObject({ status: "completed" });
});

test("S-31: no reason gives no error text, an Error its message, anything else its text", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("hold")], { submissionId: "hold" });
  await modelCalled(name, 1);
  const reasons: [unknown, string | undefined][] = [
    [undefined, undefined],
    [new Error("an error"), "an error"],
    ["a text", "a text"],
    [42, "42"],
    [null, "null"],
    [{ toString: () => "an object" }, "an object"],
  ];
  for (const [index, [reason, error]] of reasons.entries()) {
    const submissionId = `s${index}`;
    await agent.submitMessages([userMessage("Hi")], { submissionId });
    await inside(agent, (instance) => instance.cancelSubmission(submissionId, reason));
    expect((await agent.inspectSubmission(submissionId))?.error).toBe(error);
  }
  held.open();
});

test("S-32: cancel resolves after the hook has heard of it, and the end is announced exactly once", async () => {
  const { name, agent } = await freshAgent();
  const heard: string[] = [];
  setUp(name, {
    script: replies(stall("x"), text("next")),
    statusHook: async ({ submissionId, status }) => {
      await scheduler.wait(1);
      if (submissionId === "s1") heard.push(status);
    },
  });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);
  await agent.cancelSubmission("s1", "stop");
  expect(heard).toEqual(["pending", "running", "aborted"]);

  await agent.submitMessages([userMessage("next")], { submissionId: "s2" });
  await agent.waitForSubmission("s2");
  expect(heard).toEqual(["pending", "running", "aborted"]);
});

test("S-32: of two concurrent cancels one cancels and the other finds it ended", async () => {
  const { name, agent } = await freshAgent();
  setUp(name, { script: () => stall("x") });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);
  const both = await Promise.all([agent.cancelSubmission("s1", "one"), agent.cancelSubmission("s1", "two")]);
  expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(["already_terminal", "cancelled"]);
  expect(terminals(await eventTypes(agent, "s1"))).toEqual(["TurnAborted"]);
});

test.for([1, 3])(
  "FR-02 S-26: cancelling what waits behind an active turn posts none of its %i messages",
  async (count) => {
    const { name, agent } = await freshAgent();
    const held = heldReply();
    setUp(name, held);
    const slow = agent.saveMessages([userMessage("slow")]);
    await modelCalled(name, 1);
    const messages = Array.from({ length: count }, (_, index) => userMessage(`B${index}`));
    await agent.submitMessages(messages, { submissionId: "b" });
    expect(await agent.cancelSubmission("b", "changed my mind")).toMatchObject({ messagesApplied: false });
    held.open();
    expect(await slow).toMatchObject({ status: "completed" });
    await drain(agent);

    expect(await transcript(agent)).toEqual(["user: slow", "assistant: before after"]);
    expect(await agent.inspectSubmission("b")).toMatchObject({ status: "aborted", error: "changed my mind" });
    const types = await eventTypes(agent, "b");
    expect(types).not.toContain("MessagesApplied");
    expect(terminals(types)).toEqual(["TurnAborted"]);
  },
);

test("FR-03: a model that finishes after the cancel overwrites nothing; its record is refused at append", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply("x", "y");
  setUp(name, held);
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);
  await agent.cancelSubmission("s1", "stop");
  const cancelled = await agent.inspectSubmission("s1");
  held.open();
  await agent.submitMessages([userMessage("next")], { submissionId: "s2" });
  await agent.waitForSubmission("s2");

  expect(await agent.inspectSubmission("s1")).toMatchObject({
    status: "aborted",
    error: "stop",
    completedAt: cancelled?.completedAt,
  });
  expect(terminals(await eventTypes(agent, "s1"))).toEqual(["TurnAborted"]);
});

test("FR-03: a model that finishes after a reset overwrites nothing that the reset wrote", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply("x", "y");
  setUp(name, held);
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);
  await inside(agent, (instance) => instance.reset());
  const ended = await agent.inspectSubmission("s1");
  expect(ended).toMatchObject({ status: "aborted", error: "Turn state reset" });
  held.open();
  await agent.submitMessages([userMessage("next")], { submissionId: "s2" });
  await agent.waitForSubmission("s2");

  expect(await agent.inspectSubmission("s1")).toEqual(ended);
  expect(terminals(await eventTypes(agent, "s1"))).toEqual(["TurnAborted"]);
  expect(await transcript(agent)).toEqual(["user: Hi", "user: next", "assistant: Hello"]);
});

test("FR-19 S-30: a running submission can be cancelled after a restart, at once and for good", async () => {
  const { name, agent: first } = await freshAgent();
  setUp(name, { script: replies(stall("x"), text("must not run")) });
  await first.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);

  const agent = await crash(first);
  expect(await agent.cancelSubmission("s1", "no longer needed")).toMatchObject({
    outcome: "cancelled",
    previousStatus: "running",
    messagesApplied: true,
    submission: { status: "aborted", error: "no longer needed" },
  });
  await drain(agent);
  expect(modelCallsOf(name)).toBe(1);
  expect(terminals(await eventTypes(agent, "s1"))).toEqual(["TurnAborted"]);
  expect(await agent.inspectSubmission("s1")).toMatchObject({ status: "aborted", error: "no longer needed" });
});
