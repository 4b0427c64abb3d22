import { expect, test } from "vitest";
import { drain, freshAgent, inside } from "../support/agents.ts";
import { modelCalled } from "../support/observe.ts";
import { instanceOf, resultsOf, runPrompts, startPrompts } from "../support/prompt-runs.ts";
import { heldReply } from "../support/scripts.ts";
import { finalAnswer } from "../support/structured-turn.ts";
import { modelCallsOf, setUp } from "../support/test-agent.ts";
import { stall, text } from "../../src/testing/index.ts";

/** An agent whose model answers `answer 1`, `answer 2` … */
async function answering() {
  const fresh = await freshAgent("prompts");
  setUp(fresh.name, { script: ({ index }) => finalAnswer({ title: `answer ${index + 1}` }) });
  return fresh;
}

test("W-9: a prompt in a real workflow gives typed output, and nothing of it stays due", async () => {
  const { agent } = await answering();
  expect(await runPrompts(agent, { step: "sum" })).toEqual([{ output: { title: "answer 1", tags: [] } }]);
  await expect.poll(() => inside(agent, (instance) => instance.listNotifications())).toEqual([]);
  const { events } = await agent.auditLog({ types: ["NotificationQueued", "NotificationDelivered"] });
  expect(events.map(({ type }) => type)).toEqual(["NotificationQueued", "NotificationDelivered"]);
});

test("FR-22 W-11: prompts under one step name are two with keys of their own, and one without", async () => {
  const { name, agent } = await answering();
  const keyed = await runPrompts(agent, { step: "sum", key: "a" }, { step: "sum", key: "b" });
  expect(keyed).toMatchObject([{ output: { title: "answer 1" } }, { output: { title: "answer 2" } }]);
  const same = await runPrompts(agent, { step: "sum" }, { step: "sum" });
  expect(same).toMatchObject([{ output: { title: "answer 3" } }, { output: { title: "answer 3" } }]);
  expect(modelCallsOf(name)).toBe(3);
});

test("W-12 FR-22: an instance that is restarted gets the stored answer at once; nothing is asked twice", async () => {
  const { name, agent } = await answering();
  const id = await startPrompts(agent, { step: "sum" });
  const first = await resultsOf(id);
  await (await instanceOf(id)).restart();
  expect(await resultsOf(id)).toEqual(first);
  expect(modelCallsOf(name)).toBe(1);
});

test("W-8: a wait that is over cancels the turn, and the next prompt of the workflow is not confused by it", async () => {
  const { name, agent } = await freshAgent("prompts");
  const held = heldReply();
  setUp(name, { script: (call) => (call.index === 0 ? held.script(call) : finalAnswer({ title: "second" })) });
  const id = await startPrompts(agent, { step: "slow", timeout: 300 }, { step: "next" });
  await modelCalled(name, 1);
  const results = await resultsOf(id);
  expect(results).toMatchObject([{ error: "ThinkPromptTimeoutError" }, { output: { title: "second" } }]);
  const [{ submissionId } = { submissionId: "" }] = results as { submissionId: string }[];
  expect(await agent.inspectSubmission(submissionId)).toMatchObject({
    status: "aborted",
    error: "Workflow prompt wait timed out",
  });
  held.open();
});

test("W-8: with cancelOnTimeout: false the turn goes on, and the same step asked again gets its answer", async () => {
  const { name, agent } = await freshAgent("prompts");
  const gate = Promise.withResolvers<void>();
  setUp(name, { script: () => ({ steps: [gate.promise, ...finalAnswer({ title: "late" }).steps] }) });
  const id = await startPrompts(agent, { step: "slow", timeout: 300, cancelOnTimeout: false }, { step: "slow" });
  await modelCalled(name, 1);
  await scheduler.wait(600);
  gate.resolve();
  expect(await resultsOf(id)).toMatchObject([{ error: "ThinkPromptTimeoutError" }, { output: { title: "late" } }]);
  expect(modelCallsOf(name)).toBe(1);
});

test("W-9: a cancelled prompt, a failed one and one that is skipped by a reset reject with their own classes", async () => {
  const { name, agent } = await freshAgent("prompts");
  setUp(name, { script: ({ index }) => (index === 0 ? text("No tool") : stall("Let me ")) });
  expect(await runPrompts(agent, { step: "prose" })).toMatchObject([
    { error: "ThinkPromptError", message: "Model ended the turn without calling the think_final_answer tool" },
  ]);
  const cancelled = await startPrompts(agent, { step: "cancelled" });
  await modelCalled(name, 2);
  const [running] = await agent.listSubmissions({ status: "running" });
  await agent.cancelSubmission(running?.submissionId ?? "", "not needed");
  expect(await resultsOf(cancelled)).toMatchObject([{ error: "ThinkPromptAbortedError", message: "not needed" }]);

  const blocker = await startPrompts(agent, { step: "blocker" });
  await modelCalled(name, 3);
  const skipped = await startPrompts(agent, { step: "skipped" });
  await expect.poll(async () => (await agent.listSubmissions({ status: "pending" })).length).toBe(1);
  await inside(agent, (instance) => instance.reset());
  expect(await resultsOf(skipped)).toMatchObject([{ error: "ThinkPromptSkippedError" }]);
  expect(await resultsOf(blocker)).toMatchObject([{ error: "ThinkPromptAbortedError" }]);
  await drain(agent);
});

test("FR-33: an output of the wrong type rejects the prompt, and is stored as it was given", async () => {
  const { name, agent } = await freshAgent("prompts");
  setUp(name, { script: () => finalAnswer({ title: 1 }) });
  expect(await runPrompts(agent, { step: "sum" })).toMatchObject([{ error: "ThinkPromptValidationError" }]);
});
