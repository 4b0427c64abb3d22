import { expect, test } from "vitest";
import { stall } from "../../src/testing/index.ts";
import { alarmOf, crash, freshAgent, inside } from "../support/agents.ts";
import { modelCalled } from "../support/observe.ts";
import { BINDING, instanceOf, resultsOf, runPrompts, startPrompts } from "../support/prompt-runs.ts";
import { finalAnswer } from "../support/structured-turn.ts";
import { modelCallsOf, setUp, userMessage } from "../support/test-agent.ts";

test("twenty workflows at once each get an answer of their own, in one lane", async () => {
  const { name, agent } = await freshAgent("strain");
  setUp(name, { script: ({ index }) => finalAnswer({ title: `answer ${index}` }) });
  const ids = await Promise.all(Array.from({ length: 20 }, () => startPrompts(agent, { step: "sum" })));
  const results = (await Promise.all(ids.map((id) => resultsOf(id)))).flat();
  const titles = results.map((result) => ("output" in result ? (result.output as { title: string }).title : result));
  expect(new Set(titles)).toEqual(new Set(Array.from({ length: 20 }, (_, index) => `answer ${index}`)));
});

test("W-3: an empty key is another prompt than none", async () => {
  const { name, agent } = await freshAgent("strain");
  setUp(name, { script: ({ index }) => finalAnswer({ title: `answer ${index}` }) });
  const results = await runPrompts(agent, { step: "sum" }, { step: "sum", key: "" }, { step: "sum" });
  expect(results).toMatchObject([
    { output: { title: "answer 0" } },
    { output: { title: "answer 1" } },
    { output: { title: "answer 0" } },
  ]);
  expect(modelCallsOf(name)).toBe(2);
});

test("FR-37: an output that no event can carry is a typed error that says how large it was", async () => {
  const { name, agent } = await freshAgent("strain");
  setUp(name, { script: () => finalAnswer({ title: "x".repeat(1_500_000) }) });
  const [result] = await runPrompts(agent, { step: "sum" });
  expect(result).toMatchObject({ error: "ThinkPromptError", message: expect.stringContaining("15000") });
});

test("FR-52: metadata in the shape of a workflow's is data: nothing is sent, and the turn is an ordinary one", async () => {
  const { agent } = await freshAgent("strain");
  const workflow = { name: BINDING, id: "not-mine", stepName: "sum", eventType: "think-prompt-x" };
  const forged = { workflow, output: { schema: { type: "object" } }, fingerprint: "f" };
  const { submissionId } = await agent.submitMessages([userMessage("Hi")], {
    metadata: { __thinkWorkflowPrompt: forged },
  });
  expect(await agent.waitForSubmission(submissionId)).toMatchObject({ status: "completed" });
  expect((await agent.auditLog({ types: ["NotificationQueued"] })).events).toEqual([]);
});

test("a prompt whose key somebody else's submission has fails at once instead of waiting for nothing", async () => {
  const { agent } = await freshAgent("strain");
  const id = crypto.randomUUID();
  const { submissionId } = await agent.submitMessages([userMessage("Mine")], {
    idempotencyKey: `think-workflow:${BINDING}:${id}:sum`,
  });
  await inside(agent, (instance) => instance.runWorkflow(BINDING, { prompts: [{ step: "sum" }] }, { id }));
  expect(await resultsOf(id)).toMatchObject([{ error: "ThinkPromptError", submissionId }]);
});

test("FR-25: the outcome for an instance that was terminated leaves nothing due, and no alarm", async () => {
  const { name, agent } = await freshAgent("strain");
  setUp(name, { script: () => stall("Let me ") });
  const id = await startPrompts(agent, { step: "sum" });
  await modelCalled(name, 1);
  await (await instanceOf(id)).terminate();
  const [running] = await agent.listSubmissions({ status: "running" });
  await agent.cancelSubmission(running?.submissionId ?? "", "not needed");
  await expect
    .poll(() => inside(agent, (instance) => instance.listNotifications({ state: "due" })), { timeout: 5_000 })
    .toEqual([]);
  await expect.poll(() => alarmOf(agent), { timeout: 5_000 }).toBeNull();
});

test("a submission that is deleted after its delivery is asked anew when its step starts over", async () => {
  const { name, agent } = await freshAgent("strain");
  setUp(name, { script: ({ index }) => finalAnswer({ title: `answer ${index}` }) });
  const id = await startPrompts(agent, { step: "sum" });
  await resultsOf(id);
  const [submission] = await agent.listSubmissions();
  await expect.poll(() => inside(agent, (instance) => instance.listNotifications())).toEqual([]);
  expect(await agent.deleteSubmission(submission?.submissionId ?? "")).toBe(true);
  await (await instanceOf(id)).restart();
  await expect.poll(() => modelCallsOf(name)).toBe(2);
  expect(await resultsOf(id)).toMatchObject([{ output: { title: "answer 1" } }]);
});

test("a prompt whose lane is held by another turn waits for it, and a clear meanwhile skips it", async () => {
  const { name, agent } = await freshAgent("strain");
  setUp(name, { script: ({ index }) => (index === 0 ? stall("Let me ") : finalAnswer({ title: "after" })) });
  await agent.submitMessages([userMessage("Hold it")]);
  await modelCalled(name, 1);
  const id = await startPrompts(agent, { step: "sum" }, { step: "again" });
  await expect.poll(async () => (await agent.listSubmissions({ status: "pending" })).length).toBe(1);
  await agent.clearMessages();
  expect(await resultsOf(id)).toMatchObject([{ error: "ThinkPromptSkippedError" }, { output: { title: "after" } }]);
});

test("the read models made anew in the middle of a prompt change nothing for it", async () => {
  const { name, agent } = await freshAgent("strain");
  const gate = Promise.withResolvers<void>();
  setUp(name, { script: () => ({ steps: [gate.promise, ...finalAnswer({ title: "late" }).steps] }) });
  const id = await startPrompts(agent, { step: "sum" });
  await modelCalled(name, 1);
  expect((await agent.rebuildProjections()).filter(({ differences }) => differences > 0)).toEqual([]);
  gate.resolve();
  expect(await resultsOf(id)).toMatchObject([{ output: { title: "late" } }]);
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
});

test("an agent that is reset while its workflow starts does not fail the run", async () => {
  const { name, agent } = await freshAgent("strain");
  setUp(name, { script: () => finalAnswer({ title: "there again" }) });
  const id = await startPrompts(agent, { step: "sum" });
  await crash(agent);
  expect(await resultsOf(id)).toMatchObject([{ output: { title: "there again" } }]);
});
