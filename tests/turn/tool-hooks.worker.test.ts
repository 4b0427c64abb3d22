import { tool } from "ai";
import { z } from "zod";
import { expect, test } from "vitest";
import type { ToolCallContext, ToolCallDecision, ToolCallResultContext } from "../../src/index.ts";
import { callTool, text } from "../../src/testing/index.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { callTools, eventsOf, inTurn, listener, toolParts } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

type Given = ToolCallDecision | void | Promise<ToolCallDecision | void>;

/** Run one call of `double` with this decision: what ran, what was stored, what the hooks and the model saw. */
async function decided(decide: (context: ToolCallContext) => Given) {
  const ran: unknown[] = [];
  const after: ToolCallResultContext[] = [];
  return insideTurnAgent(
    {
      script: inTurn(callTool("double", { n: 4 }), text("done")),
      tools: {
        double: tool({
          inputSchema: z.object({ n: z.number() }),
          execute: async (input) => {
            ran.push(input);
            return input.n * 2;
          },
        }),
      },
      beforeToolCall: decide,
      afterToolCall: (context) => void after.push(context),
    },
    async (agent) => {
      const { status, message, requestId } = await agent.runTurn({ input: "double 4" });
      const [part] = toolParts(message);
      return {
        status,
        ran,
        after,
        part,
        told: agent.model.calls[1]?.prompt.at(-1),
        events: await eventsOf(agent, requestId),
      };
    },
  );
}

const toolResult = (output: unknown) => ({ role: "tool", content: [{ type: "tool-result", output }] });

test("T217, T218, H3: the hooks get the call, and what came of it", async () => {
  const before: ToolCallContext[] = [];
  const { after } = await decided((context) => void before.push(context));
  expect(before).toMatchObject([
    {
      type: "tool-call",
      toolName: "double",
      input: { n: 4 },
      toolCallId: "call-double",
      requestId: expect.any(String),
    },
  ]);
  expect(before[0]?.stepNumber).toBeUndefined();
  expect(before[0]?.abortSignal?.aborted).toBe(false);
  expect(before[0]?.messages).toMatchObject([{ role: "user" }]);
  expect(after).toMatchObject([
    {
      toolName: "double",
      input: { n: 4 },
      toolCallId: "call-double",
      success: true,
      output: 8,
      toolOutput: { type: "tool-result", output: 8 },
      stepNumber: 0,
      toolExecutionMs: expect.any(Number),
      durationMs: after[0]?.toolExecutionMs,
    },
  ]);
});

test.each<[string, Given]>([
  ["T219, T229: nothing", undefined],
  ["T219: null", null as unknown as undefined],
  ["allow", { action: "allow" }],
  ["T224: a promise of nothing", Promise.resolve()],
  ["garbage", "yes" as unknown as ToolCallDecision],
  ["an unknown action", { action: "explode" } as unknown as ToolCallDecision],
])("H3, %s: runs the tool once, with the model's input", async (_name, decision) => {
  const { ran, part, told } = await decided(() => decision);
  expect(ran).toEqual([{ n: 4 }]);
  expect(part).toMatchObject({ state: "output-available", input: { n: 4 }, output: 8 });
  expect(told).toMatchObject(toolResult({ type: "json", value: 8 }));
});

test("T220, T230, H3: allow with an input runs the tool once with that, and stores the model's own", async () => {
  const { ran, part, after } = await decided(async () => ({ action: "allow", input: { n: 10 } }));
  expect(ran).toEqual([{ n: 10 }]);
  expect(part).toMatchObject({ input: { n: 4 }, output: 20 });
  expect(after).toMatchObject([{ input: { n: 4 }, output: 20 }]);
});

test("T221, T231, H3: block with a reason does not run the tool; the reason is the result, not an error", async () => {
  const { ran, part, told, after, events } = await decided(() => ({ action: "block", reason: "not on Sundays" }));
  expect(ran).toEqual([]);
  expect(part).toMatchObject({ state: "output-available", output: "not on Sundays" });
  expect(told).toMatchObject(toolResult({ type: "text", value: "not on Sundays" }));
  expect(after).toMatchObject([{ success: true, output: "not on Sundays" }]);
  expect(events).not.toContain("ToolCallStarted");
});

test("T222, H3: block without a reason says which tool was blocked", async () => {
  const { part } = await decided(() => ({ action: "block" }));
  expect(part?.output).toBe('Tool "double" was blocked by beforeToolCall.');
});

test.each([[{ cached: [1, 2] }], ["text"], [0], [false]])(
  "T223, T232, H3: substitute gives its output (%j) without running the tool",
  async (output) => {
    const { ran, part, events } = await decided(() => ({ action: "substitute", output }));
    expect(ran).toEqual([]);
    expect(part).toMatchObject({ state: "output-available", output });
    expect(events).not.toContain("ToolCallStarted");
  },
);

test("T225, H5: a throw in beforeToolCall is the tool's error, and the loop goes on", async () => {
  const { status, ran, part, after, told } = await decided(() => {
    throw new Error("the guard is ill");
  });
  expect(status).toBe("completed");
  expect(ran).toEqual([]);
  expect(part).toMatchObject({ state: "output-error", errorText: expect.stringContaining("the guard is ill") });
  expect(after).toMatchObject([
    { success: false, error: new Error("the guard is ill"), toolOutput: { type: "tool-error" } },
  ]);
  expect(after[0]).not.toHaveProperty("output");
  expect(JSON.stringify(told)).toContain("the guard is ill");
});

test("parallel calls each go through the hooks with their own id", async () => {
  const seen: string[] = [];
  await insideTurnAgent(
    {
      script: inTurn(callTools(callTool("echo", { n: 1 }, "c1"), callTool("echo", { n: 2 }, "c2")), text("done")),
      tools: { echo: tool({ inputSchema: z.object({ n: z.number() }), execute: async ({ n }) => n }) },
      beforeToolCall: ({ toolCallId }) => void seen.push(`before ${toolCallId}`),
      afterToolCall: ({ toolCallId, output }) => void seen.push(`after ${toolCallId} ${String(output)}`),
    },
    async (agent) => {
      await agent.saveMessages([userMessage("Hi")]);
    },
  );
  expect(seen.toSorted()).toEqual(["after c1 1", "after c2 2", "before c1", "before c2"]);
});

test("H4: tools that the client runs do not go through the hooks when nobody executes them here", async () => {
  const seen: string[] = [];
  await insideTurnAgent(
    { script: inTurn(callTool("pick", {}), text("done")), beforeToolCall: ({ toolName }) => void seen.push(toolName) },
    async (agent) => {
      await agent.chat("Hi", listener().callback, { clientTools: [{ name: "pick" }] });
      expect(toolParts((await agent.getMessages()).at(-1))).toMatchObject([{ state: "input-available" }]);
    },
  );
  expect(seen).toEqual([]);
});

test("a call of a tool that does not exist is the call's error, and the loop goes on", async () => {
  await insideTurnAgent({ script: inTurn(callTool("nobody", {}), text("sorry")) }, async (agent) => {
    const { status, message } = await agent.runTurn({ input: "Hi" });
    expect(status).toBe("completed");
    expect(message?.parts.map(({ type }) => type)).toContain("text");
    expect(agent.model.calls).toHaveLength(2);
    expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
  });
});

test("an input that does not fit the tool's schema is the call's error; the tool does not run", async () => {
  const { ran, part, status } = await insideTurnAgent(
    {
      script: inTurn(callTool("double", { n: "four" }), text("sorry")),
      tools: { double: tool({ inputSchema: z.object({ n: z.number() }), execute: async ({ n }) => n * 2 }) },
    },
    async (agent) => {
      const result = await agent.runTurn({ input: "Hi" });
      const started = (await eventsOf(agent, result.requestId)).filter((type) => type === "ToolCallStarted");
      return { ran: started, part: toolParts(result.message)[0], status: result.status };
    },
  );
  expect(status).toBe("completed");
  expect(ran).toEqual([]);
  expect(part?.state).toBe("output-error");
});
