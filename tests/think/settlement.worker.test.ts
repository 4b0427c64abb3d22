import { expect, test, vi } from "vitest";
import { tool } from "ai";
import { z } from "zod";
import { callTool, empty, streamError, text } from "../../src/testing/index.ts";
import { freshAgent, inside, restart } from "../support/agents.ts";
import { eventTypes, modelCalled, transcript } from "../support/observe.ts";
import { heldReply, replies } from "../support/scripts.ts";
import { modelCallsOf, setUp, userMessage } from "../support/test-agent.ts";

test("S-16 S-17: a claimed submission is running until it has ended", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);
  const running = await agent.inspectSubmission("s1");
  expect(running).toMatchObject({ status: "running", startedAt: expect.any(Number) });
  expect(running).not.toHaveProperty("completedAt");

  held.open();
  const ended = await agent.waitForSubmission("s1");
  expect(ended).toMatchObject({ status: "completed", startedAt: running?.startedAt, completedAt: expect.any(Number) });
  expect(ended).not.toHaveProperty("error");
});

test("S-18: an error in the stream makes a submission an error and keeps what was said until then", async () => {
  const { name, agent } = await freshAgent();
  setUp(name, { script: () => streamError("provider overloaded", "half") });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  const ended = await agent.waitForSubmission("s1");
  expect(ended).toMatchObject({ status: "error", error: "provider overloaded", messageId: expect.any(String) });
  expect(await transcript(agent)).toEqual(["user: Hi", "assistant: half"]);
});

test("S-18: a stream error after a cancel changes nothing", async () => {
  const { name, agent } = await freshAgent();
  const gate = Promise.withResolvers<void>();
  setUp(name, {
    script: () => ({
      steps: [...streamError("late", "x").steps.slice(0, 2), gate.promise, ...streamError("late").steps],
    }),
  });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);
  await agent.cancelSubmission("s1", "stop");
  const aborted = await agent.waitForSubmission("s1");
  gate.resolve();
  await agent.submitMessages([userMessage("next")], { submissionId: "s2" });
  await agent.waitForSubmission("s2");
  expect(await agent.inspectSubmission("s1")).toMatchObject({
    status: "aborted",
    error: "stop",
    completedAt: aborted?.completedAt,
  });
});

test("S-18: an error of the agent's own code before the model is an error with its message", async () => {
  const { name, agent } = await freshAgent();
  setUp(name, {
    beforeModel: () => {
      throw new Error("no model configured");
    },
  });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  const ended = await agent.waitForSubmission("s1");
  expect(ended).toMatchObject({ status: "error", error: "no model configured" });
  expect(ended).not.toHaveProperty("messageId");
  expect(modelCallsOf(name)).toBe(0);
});

test("S-19: the request id of a submission is its id for its whole life", async () => {
  const { agent } = await freshAgent();
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  expect(await agent.waitForSubmission("s1")).toMatchObject({ requestId: "s1" });
  const { events } = await agent.auditLog({ submissionId: "s1" });
  expect(new Set(events.map(({ correlationId }) => correlationId))).toEqual(new Set(["s1"]));
});

test("S-20: messageId names the assistant message that the submission stored", async () => {
  const { agent } = await freshAgent();
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  const ended = await agent.waitForSubmission("s1");
  const answer = (await agent.getMessages()).at(-1);
  expect(answer?.role).toBe("assistant");
  expect(ended?.messageId).toBe(answer?.id);
  expect((await agent.listSubmissions())[0]?.messageId).toBe(answer?.id);
});

test("S-20: an answer without content stores no message and has no messageId", async () => {
  const { name, agent } = await freshAgent();
  setUp(name, { script: empty });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  const ended = await agent.waitForSubmission("s1");
  expect(ended).toMatchObject({ status: "completed" });
  expect(ended).not.toHaveProperty("messageId");
  expect(await transcript(agent)).toEqual(["user: Hi"]);
});

test("S-27: the steps, the answer and the end of a turn are one commit, and a tool is on record before it runs", async () => {
  const { name, agent } = await freshAgent();
  const atCall: string[][] = [];
  setUp(name, {
    script: replies(callTool("look", {}), text("seen")),
    tools: (instance) => ({
      look: tool({
        inputSchema: z.object({}),
        execute: async () => {
          const { events } = await instance.auditLog({ submissionId: "s1" });
          atCall.push(events.map(({ type }) => type));
          return "fine";
        },
      }),
    }),
  });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await agent.waitForSubmission("s1");

  expect(atCall[0]?.at(-1)).toBe("ToolCallStarted");
  expect(await eventTypes(agent, "s1")).toEqual([
    "TurnSubmitted",
    "TurnClaimed",
    "MessagesApplied",
    "ToolCallStarted",
    "StepFinished",
    "StepFinished",
    "TurnCompleted",
  ]);
});

test("S-27: when the answer cannot be stored, the turn ends with that reason, and none of it is on record", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);
  await inside(agent, (_, { storage }) => {
    storage.sql.exec(`CREATE TRIGGER test_no_room BEFORE INSERT ON cf_agents_session_messages
                      BEGIN SELECT RAISE(ABORT, 'no room'); END`);
  });
  const reported = vi.spyOn(console, "error").mockImplementation(() => {});
  held.open();
  const ended = await agent.waitForSubmission("s1");
  reported.mockRestore();
  expect(ended).toMatchObject({ status: "error", error: expect.stringContaining("no room") });
  const recorded = await eventTypes(agent, "s1");
  expect(recorded).not.toContain("StepFinished");
  expect(recorded).not.toContain("TurnCompleted");
  expect(await transcript(agent)).toEqual(["user: Hi"]);

  await inside(agent, (_, { storage }) => void storage.sql.exec("DROP TRIGGER test_no_room"));
  await restart(agent);
  expect(await agent.saveMessages([userMessage("Again")])).toMatchObject({ status: "completed" });
  expect((await agent.rebuildProjections()).every(({ differences }) => differences === 0)).toBe(true);
});

test("S-20: an answer larger than a row of SQLite is stored whole", async () => {
  const { name, agent } = await freshAgent();
  const long = "漢".repeat(800_000);
  setUp(name, { script: () => text(long) });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
  await restart(agent);
  expect((await transcript(agent))[1]).toBe(`assistant: ${long}`);
});
