import { tool } from "ai";
import { z } from "zod";
import { expect, test } from "vitest";
import { callTool, text } from "../../src/testing/index.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { userMessage } from "../support/test-agent.ts";

const double = (ran: unknown[] = []) => ({
  double: tool({
    inputSchema: z.object({ n: z.number() }),
    execute: ({ n }) => {
      ran.push(n);
      return n * 2;
    },
  }),
});

const oneToolThenText = ({ index }: { index: number }) =>
  index === 0 ? callTool("double", { n: 4 }) : text("It is 8.");

test("9.1: the hooks of a two-step turn with one tool call come in their order", async () => {
  const order: string[] = [];
  let calls = 0;
  await insideTurnAgent(
    {
      script: () => oneToolThenText({ index: calls++ }),
      tools: double(),
      beforeTurn: () => void order.push("beforeTurn"),
      beforeStep: ({ stepNumber }) => void order.push(`beforeStep ${stepNumber}`),
      beforeToolCall: ({ toolName }) => void order.push(`beforeToolCall ${toolName}`),
      afterToolCall: ({ success, output }) => void order.push(`afterToolCall ${success} ${String(output)}`),
      onStepEnd: ({ finishReason }) => void order.push(`onStepEnd ${finishReason}`),
      onChatResponse: ({ status }) => void order.push(`onChatResponse ${status}`),
    },
    async (agent) => {
      expect(await agent.saveMessages([userMessage("double 4")])).toMatchObject({ status: "completed" });
    },
  );
  expect(order).toEqual([
    "beforeTurn",
    "beforeStep 0",
    "beforeToolCall double",
    "afterToolCall true 8",
    "onStepEnd tool-calls",
    "beforeStep 1",
    "onStepEnd stop",
    "onChatResponse completed",
  ]);
});

test("T126: wait gives what saveMessages gives, and the message as stored", async () => {
  await insideTurnAgent({}, async (agent) => {
    const result = await agent.runTurn({ input: "Hi" });
    expect(result).toMatchObject({ status: "completed", continuation: false });
    expect(result.message?.parts.filter((part) => part.type === "text")).toEqual([
      expect.objectContaining({ text: "Hello there" }),
    ]);
    expect((await agent.getMessages()).at(-1)).toEqual(result.message);
  });
});

test("decision 13: chaining the next turn from onChatResponse works", async () => {
  let chained = false;
  await insideTurnAgent(
    {
      onChatResponse: async (_result, agent) => {
        if (chained) return;
        chained = true;
        await agent.saveMessages([userMessage("and then?")]);
      },
    },
    async (agent) => {
      await agent.saveMessages([userMessage("first")]);
      expect((await agent.getMessages()).map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    },
  );
});

test("T-52: a blocking turn from inside a turn of the same agent is refused", async () => {
  let refusal: unknown;
  await insideTurnAgent(
    {
      beforeTurn: async (_context, agent) => {
        refusal = await agent.saveMessages([userMessage("nested")]).catch((error: unknown) => error);
      },
    },
    async (agent) => {
      expect(await agent.saveMessages([userMessage("outer")])).toMatchObject({ status: "completed" });
    },
  );
  expect(String(refusal)).toContain("cannot be called from inside an active turn");
});

test("T141: stream drives the callback, and its last call is exactly one", async () => {
  const calls: string[] = [];
  await insideTurnAgent({}, async (agent) => {
    await agent.runTurn({
      mode: "stream",
      input: "Hi",
      callback: {
        onStart: ({ requestId }) => void calls.push(typeof requestId),
        onEvent: (json) => void calls.push((JSON.parse(json) as { type: string }).type),
        onDone: () => void calls.push("done"),
        onError: (error) => void calls.push(`error ${error}`),
      },
    });
  });
  expect(calls[0]).toBe("string");
  expect(calls).toContain("text-delta");
  expect(calls.filter((call) => call === "done" || call.startsWith("error"))).toEqual(["done"]);
  expect(calls.at(-1)).toBe("done");
});

test("T101: a continuation adds an answer of its own and says so to the hooks", async () => {
  const seen: boolean[] = [];
  await insideTurnAgent({ beforeTurn: ({ continuation }) => void seen.push(continuation) }, async (agent) => {
    await agent.saveMessages([userMessage("Hi")]);
    expect(await agent.runTurn({ continuation: true, body: { more: true } })).toMatchObject({
      status: "completed",
      continuation: true,
    });
    expect((await agent.getMessages()).map(({ role }) => role)).toEqual(["user", "assistant", "assistant"]);
  });
  expect(seen).toEqual([false, true]);
});

test("L2c: a cancelled stream keeps the partial answer and ends with one error call", async () => {
  const { promise: never } = Promise.withResolvers<void>();
  const calls: string[] = [];
  await insideTurnAgent(
    {
      script: () => ({
        steps: [{ type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: "half" }, never],
      }),
    },
    async (agent) => {
      let id = "";
      await agent.chat("Hi", {
        onStart: ({ requestId }) => {
          id = requestId;
        },
        onEvent: (json) => {
          if (json.includes("half")) agent.cancelChat(id, "enough");
        },
        onDone: () => void calls.push("done"),
        onError: (error) => void calls.push(error),
      });
      const parts = (await agent.getMessages()).at(-1)?.parts ?? [];
      expect(parts.some((part) => part.type === "text" && part.text === "half")).toBe(true);
    },
  );
  expect(calls).toEqual(["enough"]);
});

test("a step on record says how each of its tools ended, how long it took, and what the step used", async () => {
  let calls = 0;
  await insideTurnAgent({ script: () => oneToolThenText({ index: calls++ }), tools: double() }, async (agent) => {
    const { requestId } = await agent.saveMessages([userMessage("double 4")]);
    const { events } = await agent.auditLog({ submissionId: requestId, types: ["StepFinished"] });
    expect(events.map(({ data }) => data)).toMatchObject([
      {
        step: 0,
        finishReason: "tool-calls",
        usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
        toolCalls: [{ toolName: "double", outcome: "ok", durationMs: expect.any(Number) }],
      },
      { step: 1, finishReason: "stop", toolCalls: [] },
    ]);
  });
});
