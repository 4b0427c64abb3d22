import { tool } from "ai";
import { z } from "zod";
import { expect, test } from "vitest";
import { callTool, text } from "../../src/testing/index.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { inTurn, listener, toolParts } from "../support/turn-probes.ts";

async function* progress() {
  yield "10%";
  yield "50%";
  yield "done";
}

type Execute = () => unknown;

/** One call of a tool with this `execute`: the outputs that were streamed, what is stored, what the hook heard. */
async function called(execute: Execute) {
  const after: unknown[] = [];
  return insideTurnAgent(
    {
      script: inTurn(callTool("work", {}), text("done")),
      tools: { work: tool({ inputSchema: z.object({}), execute: execute as () => Promise<unknown> }) },
      afterToolCall: ({ success, output, error }) => void after.push(success ? output : error),
    },
    async (agent) => {
      const { callback, chunks, calls } = listener();
      await agent.chat("Hi", callback);
      const outputs = chunks.filter(({ type }) => type === "tool-output-available");
      return {
        calls,
        after,
        streamed: outputs.map(({ output, preliminary }) => [output, preliminary ?? false]),
        part: toolParts((await agent.getMessages()).at(-1))[0],
        told: JSON.stringify(agent.model.calls[1]?.prompt.at(-1)),
      };
    },
  );
}

test("T233, H6: the outputs of an async generator are streamed as they come, and the last is the result", async () => {
  const { streamed, part, after, told } = await called(progress);
  expect(streamed).toEqual([
    ["10%", true],
    ["50%", true],
    ["done", true],
    ["done", false],
  ]);
  expect(part).toMatchObject({ state: "output-available", output: "done" });
  expect(part).toMatchObject({ preliminary: false });
  expect(after).toEqual(["done"]);
  expect(told).toContain("done");
});

test("T234: a plain output has no preliminary one", async () => {
  expect((await called(async () => "done")).streamed).toEqual([["done", false]]);
});

test.each<[string, Execute]>([
  ["T226, T235: a promise of an async iterable", async () => progress()],
  ["T227: an async iterable returned at once", () => progress()],
  ["an object with an async iterator", () => ({ [Symbol.asyncIterator]: () => progress() })],
])("H6, %s: is its last value, without preliminaries", async (_name, execute) => {
  const { streamed, part, after } = await called(execute);
  expect(streamed).toEqual([["done", false]]);
  expect(part).toMatchObject({ output: "done" });
  expect(after).toEqual(["done"]);
});

test("a generator that throws after some output is a tool error, and the turn goes on", async () => {
  const { streamed, part, after, calls } = await called(async function* () {
    yield "10%";
    throw new Error("out of paper");
  });
  expect(streamed).toEqual([["10%", true]]);
  expect(part).toMatchObject({ state: "output-error", errorText: "Error: out of paper" });
  expect(after).toEqual([new Error("out of paper")]);
  expect(calls).toEqual(["start", "done"]);
});

test("an iterable that throws is a tool error, and the turn goes on", async () => {
  const { part, after, calls } = await called(() =>
    (async function* () {
      yield "10%";
      throw new Error("out of paper");
    })(),
  );
  expect(part).toMatchObject({ state: "output-error", errorText: "Error: out of paper" });
  expect(after).toEqual([new Error("out of paper")]);
  expect(calls).toEqual(["start", "done"]);
});

test("a generator that yields nothing gives no output, and the turn goes on", async () => {
  const { part, calls } = await called(async function* () {});
  expect(part?.state).toMatch(/^output-/);
  expect(calls).toEqual(["start", "done"]);
});
