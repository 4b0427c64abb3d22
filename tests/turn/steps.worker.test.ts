import { tool } from "ai";
import { z } from "zod";
import { expect, test } from "vitest";
import type { PrepareStepContext, StepConfig, StepContext } from "../../src/index.ts";
import { callTool, scriptedModel, text } from "../../src/testing/index.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { callTools, inTurn, textOf, toolParts, transcript } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

const double = tool({ inputSchema: z.object({ n: z.number() }), execute: async ({ n }) => n * 2 });
const twoSteps = { tools: { double }, script: inTurn(callTool("double", { n: 4 }), text("It is 8.")) };

test("T184, T185, T186, L12: a tool's result is in the next step's prompt, and all of it is one stored message", async () => {
  await insideTurnAgent(twoSteps, async (agent) => {
    const { message } = await agent.runTurn({ input: "double 4" });
    expect(agent.model.calls[1]?.prompt.slice(-2)).toMatchObject([
      { role: "assistant", content: [{ type: "tool-call", toolName: "double", input: { n: 4 } }] },
      { role: "tool", content: [{ type: "tool-result", output: { type: "json", value: 8 } }] },
    ]);
    expect(message?.parts.map(({ type }) => type)).toEqual(["step-start", "tool-double", "step-start", "text"]);
    expect(toolParts(message)).toMatchObject([{ state: "output-available", input: { n: 4 }, output: 8 }]);
    expect(await agent.getMessages()).toHaveLength(2);
  });
});

test("T205: the next turn's prompt has the earlier turns in the model's format, tool calls and results too", async () => {
  await insideTurnAgent(twoSteps, async (agent) => {
    await agent.saveMessages([userMessage("double 4")]);
    await agent.saveMessages([userMessage("thanks")]);
    expect(agent.model.calls[2]?.prompt.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
  });
});

test("T210, T213: beforeStep gets the context of each step, with the steps before it", async () => {
  const seen: unknown[] = [];
  await insideTurnAgent(
    {
      ...twoSteps,
      beforeStep: ({ stepNumber, steps, messages, model }: PrepareStepContext) =>
        void seen.push([stepNumber, steps.length, messages.length, (model as { modelId: string }).modelId]),
    },
    async (agent) => {
      await agent.saveMessages([userMessage("double 4")]);
    },
  );
  expect(seen).toEqual([
    [0, 0, 1, "scripted"],
    [1, 1, 3, "scripted"],
  ]);
});

test("T211, T212: it may change a step, also later: the model, the system text, the messages, the tools", async () => {
  const another = scriptedModel(text("from another"));
  await insideTurnAgent(
    {
      ...twoSteps,
      beforeStep: async ({ stepNumber }): Promise<StepConfig | undefined> => {
        await scheduler.wait(1);
        if (stepNumber === 0) return undefined;
        return {
          model: another,
          system: "Be brief.",
          activeTools: [],
          messages: [{ role: "user", content: "all new" }],
          providerOptions: { scripted: { fast: true } },
        };
      },
    },
    async (agent) => {
      const { message } = await agent.runTurn({ input: "double 4" });
      expect(textOf(message)).toBe("from another");
      expect(agent.model.calls).toHaveLength(1);
      expect(another.calls[0]?.prompt).toMatchObject([
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "all new" }] },
      ]);
      expect(another.doStreamCalls[0]).toMatchObject({ providerOptions: { scripted: { fast: true } } });
      expect(another.doStreamCalls[0]?.tools ?? []).toEqual([]);
    },
  );
});

test.each([
  ["null", null],
  ["a text", "faster"],
  ["an array", []],
])("what beforeStep returns that is no configuration (%s) changes nothing", async (_name, garbage) => {
  await insideTurnAgent({ beforeStep: () => garbage as unknown as StepConfig }, async (agent) => {
    expect(await agent.saveMessages([userMessage("Hi")])).toMatchObject({ status: "completed" });
    expect(await transcript(agent)).toEqual(["user: Hi", "assistant: Hello there"]);
  });
});

test("T214, T215, T216: onStepEnd gets each finished step: text, usage, calls, results and why it ended", async () => {
  const steps: StepContext[] = [];
  await insideTurnAgent({ ...twoSteps, onStepEnd: (step) => void steps.push(step) }, async (agent) => {
    await agent.saveMessages([userMessage("double 4")]);
  });
  expect(steps).toMatchObject([
    {
      finishReason: "tool-calls",
      text: "",
      usage: { inputTokens: 10, outputTokens: 5 },
      toolCalls: [{ toolName: "double", input: { n: 4 } }],
      toolResults: [{ toolName: "double", output: 8 }],
    },
    {
      finishReason: "stop",
      text: "It is 8.",
      usage: { inputTokens: 10, outputTokens: 5 },
      toolCalls: [],
      toolResults: [],
    },
  ]);
});

test("H9: without an override of onStepEnd, the deprecated onStepFinish is called", async () => {
  const reasons: string[] = [];
  await insideTurnAgent({}, async (agent) => {
    const { onStepEnd } = Object.getPrototypeOf(Object.getPrototypeOf(agent)) as {
      onStepEnd: (step: StepContext) => void;
    };
    Object.assign(agent, {
      onStepEnd,
      onStepFinish: ({ finishReason }: StepContext) => void reasons.push(finishReason),
    });
    await agent.saveMessages([userMessage("Hi")]);
  });
  expect(reasons).toEqual(["stop"]);
});

test("H1, T242: onChunk gets the streamed parts in order, each awaited before the next", async () => {
  const order: string[] = [];
  await insideTurnAgent(
    {
      script: () => text("one ", "two"),
      onChunk: async ({ chunk }) => {
        order.push(`> ${chunk.type === "text-delta" ? chunk.text : chunk.type}`);
        await scheduler.wait(1);
        order.push("<");
      },
    },
    async (agent) => {
      await agent.saveMessages([userMessage("Hi")]);
    },
  );
  const deltas = order.flatMap((entry, index) => (/one|two/.test(entry) ? [entry, order[index + 1]] : []));
  expect(deltas).toEqual(["> one ", "<", "> two", "<"]);
});

test("each step is on record with its usage and how its tools ended, so that a turn's cost can be asked", async () => {
  await insideTurnAgent(
    {
      script: inTurn(callTools(callTool("double", { n: 4 }, "c1"), callTool("fail", {}, "c2")), text("done")),
      tools: {
        double,
        fail: tool({
          inputSchema: z.object({}),
          execute: async (): Promise<string> => {
            throw new Error("no");
          },
        }),
      },
    },
    async (agent) => {
      const { requestId } = await agent.saveMessages([userMessage("double 4")]);
      const { events } = await agent.auditLog({ submissionId: requestId, types: ["StepFinished"] });
      const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
      expect(events.map(({ data }) => data)).toMatchObject([
        {
          step: 0,
          finishReason: "tool-calls",
          usage,
          toolCalls: [
            { toolCallId: "c1", toolName: "double", outcome: "ok" },
            { toolCallId: "c2", toolName: "fail", outcome: "error" },
          ],
        },
        { step: 1, finishReason: "stop", usage, toolCalls: [] },
      ]);
      const { events: started } = await agent.auditLog({ submissionId: requestId, types: ["ToolCallStarted"] });
      expect(started.map(({ data }) => (data as { toolCallId: string }).toolCallId)).toEqual(["c1", "c2"]);
    },
  );
});
