import { expect, test } from "vitest";
import { freshAgent } from "../support/agents.ts";
import { modelCalled } from "../support/observe.ts";
import { instanceOf, resultsOf, startInParallel } from "../support/prompt-runs.ts";
import { finalAnswer } from "../support/structured-turn.ts";
import type { Script } from "../../src/testing/index.ts";
import { modelCallsOf, setUp } from "../support/test-agent.ts";

/** The prompt that a model call is to answer. */
const asked = ({ prompt }: Parameters<Script>[0]): string =>
  /P\d+/.exec(JSON.stringify(prompt.findLast(({ role }) => role === "user")))?.[0] ?? "?";

test("FR-22: prompts in parallel under one step name, told apart by key, each get their own answer when the engine starts over", async () => {
  const { name, agent } = await freshAgent("parallel");
  const gate = Promise.withResolvers<void>();
  setUp(name, {
    script: (call) => {
      const title = asked(call);
      return { steps: [...(title === "P2" ? [gate.promise] : []), ...finalAnswer({ title }).steps] };
    },
  });
  const after = [400, 10, 800];
  const prompts = after.map((ms, index) => ({ step: "review", key: `${index}`, prompt: `P${index}`, after: ms }));
  const id = await startInParallel(agent, ...prompts);
  await modelCalled(name, 3);
  const instance = await instanceOf(id);
  await instance.pause();
  await expect.poll(async () => (await instance.status()).status).toBe("paused");
  await instance.resume();
  gate.resolve();
  expect(await resultsOf(id)).toMatchObject([
    { output: { title: "P0" } },
    { output: { title: "P1" } },
    { output: { title: "P2" } },
  ]);
  expect(modelCallsOf(name)).toBe(3);
});

test.each([
  ["an empty key and none", { step: "sum", key: "" }, { step: "sum" }],
  ["names and keys that read the same", { step: "a:b", key: "c" }, { step: "a", key: "b:c" }],
])("prompts in parallel with %s do not take each other's event", async (_, first, second) => {
  const { name, agent } = await freshAgent("parallel");
  setUp(name, { script: (call) => finalAnswer({ title: asked(call) }) });
  const id = await startInParallel(agent, { ...first, prompt: "P0" }, { ...second, prompt: "P1" });
  expect(await resultsOf(id)).toMatchObject([{ output: { title: "P0" } }, { output: { title: "P1" } }]);
});

test("the same prompt made twice in parallel is asked once, and both get the answer", async () => {
  const { name, agent } = await freshAgent("parallel");
  setUp(name, { script: ({ index }) => finalAnswer({ title: `answer ${index}` }) });
  const id = await startInParallel(agent, { step: "sum" }, { step: "sum" });
  expect(await resultsOf(id)).toMatchObject([{ output: { title: "answer 0" } }, { output: { title: "answer 0" } }]);
  expect(modelCallsOf(name)).toBe(1);
});

test("one prompt made twice gives the same results when the engine starts over, though the first was over by then", async () => {
  const { name, agent } = await freshAgent("parallel");
  const gate = Promise.withResolvers<void>();
  setUp(name, { script: () => ({ steps: [gate.promise, ...finalAnswer({ title: "late" }).steps] }) });
  const patient = { step: "sum", prompt: "P0", after: 1_000 };
  const id = await startInParallel(agent, { step: "sum", prompt: "P0", timeout: 300, cancelOnTimeout: false }, patient);
  const instance = await instanceOf(id);
  await modelCalled(name, 1);
  await scheduler.wait(1_500);
  await instance.pause();
  await expect.poll(async () => (await instance.status()).status).toBe("paused");
  await instance.resume();
  gate.resolve();
  expect(await resultsOf(id)).toMatchObject([{ error: "ThinkPromptTimeoutError" }, { output: { title: "late" } }]);
  expect(modelCallsOf(name)).toBe(1);
});
