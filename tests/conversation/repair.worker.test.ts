import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { memory, type Memory, said } from "../support/memory.ts";
import { publishedBy } from "../support/telemetry.ts";

type Part = UIMessage["parts"][number];

const call = (part: Record<string, unknown>): Part =>
  ({ type: "tool-lookup", toolCallId: "c1", state: "input-available", input: { q: "x" }, ...part }) as Part;

/** A conversation whose only answer has this part, and words after it. */
async function with_(part: Part, setup: Parameters<typeof memory>[0] = {}): Promise<Memory> {
  const agent = await memory(setup);
  await agent.in(async ({ session }) => {
    await session.appendMessage(said("user", "look it up", "u1"));
    await session.appendMessage({ id: "a1", role: "assistant", parts: [part] });
  });
  return agent;
}

const partOf = (agent: Memory) =>
  agent.in(async ({ session }) => (await session.getMessage("a1"))?.parts[0] as unknown as Record<string, unknown>);

const repairs = (agent: Memory) =>
  publishedBy(agent.name)
    .filter(({ type }) => type === "chat:transcript:repaired")
    .map(({ payload }) => payload);

const INTERRUPTED = "The tool call was interrupted before a result was recorded.";

test("L48, T370, FR-60: a call without a result is ended as an error before the next turn, stored and told", async () => {
  const agent = await with_(call({}));
  await agent.ask("and now?");
  expect(await partOf(agent)).toMatchObject({ state: "output-error", errorText: INTERRUPTED, input: { q: "x" } });
  expect(repairs(agent)).toEqual([{ removedToolCalls: 1, normalizedInputs: 0, toolCallIds: ["c1"] }]);

  // The prompt pairs the call with a result, so a strict provider takes it.
  const prompt = agent.calls()[0]!.prompt;
  const parts = prompt.flatMap(({ content }): { type: string }[] => (typeof content === "string" ? [] : content));
  expect(parts.map(({ type }) => type)).toEqual(["text", "tool-call", "tool-result", "text"]);

  await agent.ask("and then?");
  await agent.restart();
  await agent.ask("and later?");
  expect(repairs(agent)).toHaveLength(1);
});

test.each([
  ["input-streaming", call({ state: "input-streaming", input: undefined })],
  ["approval-requested", call({ state: "approval-requested", approval: { id: "p" } })],
  ["dynamic", call({ type: "dynamic-tool", toolName: "lookup" })],
])("L48: a call that stopped at %s is ended too when a new turn starts", async (_, part) => {
  const agent = await with_(part);
  await agent.ask("and now?");
  expect(await partOf(agent)).toMatchObject({ state: "output-error", errorText: INTERRUPTED });
});

test.each([
  ["T372: an array becomes", [1, 2]],
  ["T373: a missing one becomes", undefined],
  ["FR-60: a text becomes", "garbage"],
])("L49, T371: a settled call with a bad input has only that mended; %s {}", async (_, input) => {
  const agent = await with_(call({ state: "output-available", input, output: 7 }));
  await agent.ask("and now?");
  expect(await partOf(agent)).toMatchObject({ state: "output-available", input: {}, output: 7 });
  expect(repairs(agent)).toEqual([{ removedToolCalls: 0, normalizedInputs: 1, toolCallIds: [] }]);
});

test.each([
  ["T374", call({ state: "output-error", errorText: "it was closed" })],
  ["T375", call({ state: "output-denied", approval: { id: "p", approved: false, reason: "no" } })],
  ["L48", call({ state: "output-available", output: 7 })],
])("%s: a settled call stays as it is", async (_, part) => {
  const agent = await with_(part);
  await agent.ask("and now?");
  expect(await partOf(agent)).toEqual(part);
  expect(repairs(agent)).toEqual([]);
});

test("L48: an approved call that a later turn passes by is ended with the reason", async () => {
  const agent = await with_(call({ state: "approval-responded", approval: { id: "p", approved: true } }));
  await agent.ask("never mind");
  expect(await partOf(agent)).toMatchObject({
    state: "output-error",
    errorText: "The tool call was approved but did not run before the next turn started.",
  });
});

test("L48: a subclass says what an interrupted call becomes", async () => {
  const agent = await with_(call({}), { repair: () => ({ type: "text", text: "I asked: which one?" }) });
  await agent.ask("the second");
  expect(await partOf(agent)).toEqual({ type: "text", text: "I asked: which one?" });
});

test.each([
  [
    "throws",
    () => {
      throw new Error("oops");
    },
  ],
  ["leaves the call open", (part: Part) => part],
])("L48: an override that %s cannot poison the turn", async (_, repair) => {
  const agent = await with_(call({}), { repair });
  await agent.ask("and now?");
  expect(await partOf(agent)).toMatchObject({ state: "output-error", errorText: INTERRUPTED });
  expect(agent.calls()).toHaveLength(1);
});
