import { isStepCount, tool } from "ai";
import { z } from "zod";
import { expect, test } from "vitest";
import { callTool, type Script, scriptedModel, text } from "../../src/testing/index.ts";
import type { TurnConfig } from "../../src/index.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { inTurn, listener, textOf, toolParts, transcript } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

const echo = tool({ inputSchema: z.object({ say: z.string() }), execute: async ({ say }) => say });
const other = tool({ inputSchema: z.object({}), execute: async () => "other" });

test("T206, L3: it sees the whole system text, the tools, the messages and the turn", async () => {
  const seen: unknown[] = [];
  await insideTurnAgent(
    {
      tools: { echo },
      configure: (agent) => Object.assign(agent, { getSystemPrompt: () => "You test." }),
      beforeTurn: ({ system, tools, messages, continuation, requestId, trigger, abortSignal, model }) =>
        void seen.push({
          system,
          tools: Object.keys(tools),
          messages,
          continuation,
          requestId,
          trigger,
          aborted: abortSignal?.aborted,
          model: (model as { modelId: string }).modelId,
        }),
    },
    async (agent) => {
      const { requestId } = await agent.saveMessages([userMessage("Hi")]);
      expect(seen).toEqual([
        {
          system: "You test.",
          tools: ["echo"],
          messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
          continuation: false,
          requestId,
          trigger: "programmatic",
          aborted: false,
          model: "scripted",
        },
      ]);
    },
  );
});

test("T207, T208, T209, T246, T247, L13: once for every turn, whatever started it", async () => {
  const triggers: unknown[] = [];
  await insideTurnAgent(
    { beforeTurn: ({ trigger, continuation }) => void triggers.push(`${trigger} ${continuation}`) },
    async (agent) => {
      await agent.saveMessages([userMessage("one")]);
      await agent.runTurn({ input: "two" });
      await agent.chat("three", listener().callback);
      await agent.continueTurn();
      await agent.submitMessages([userMessage("four")], { submissionId: "s1" });
      await agent.waitForSubmission("s1");
    },
  );
  expect(triggers).toEqual([
    "programmatic false",
    "programmatic false",
    "rpc false",
    "programmatic true",
    "submission false",
  ]);
});

test("L10, T259, T260: instructions win over system, and the hook itself still sees the original", async () => {
  const seen: string[] = [];
  const configs: TurnConfig[] = [{ system: "old name" }, { system: "old name", instructions: "new name" }, {}];
  await insideTurnAgent(
    {
      configure: (agent) => Object.assign(agent, { getSystemPrompt: () => "original" }),
      beforeTurn: ({ system }) => {
        seen.push(system);
        return configs.shift();
      },
    },
    async (agent) => {
      for (const message of ["one", "two", "three"]) await agent.saveMessages([userMessage(message)]);
      expect(agent.model.calls.map(({ prompt }) => prompt[0]?.content)).toEqual(["old name", "new name", "original"]);
    },
  );
  expect(seen).toEqual(["original", "original", "original"]);
});

test("L10: messages replace what the model is sent, and change nothing that is stored", async () => {
  await insideTurnAgent(
    { beforeTurn: () => ({ messages: [{ role: "user", content: "something else" }] }) },
    async (agent) => {
      await agent.saveMessages([userMessage("Hi")]);
      expect(agent.model.calls[0]?.prompt.slice(1)).toMatchObject([
        { role: "user", content: [{ type: "text", text: "something else" }] },
      ]);
      expect(await transcript(agent)).toEqual(["user: Hi", "assistant: Hello there"]);
    },
  );
});

test("L9: messages that it gives do not end with an assistant's either", async () => {
  await insideTurnAgent(
    {
      beforeTurn: () => ({
        messages: [
          { role: "user", content: "Hi" },
          { role: "assistant", content: "Hello wor" },
        ],
      }),
    },
    async (agent) => {
      await agent.saveMessages([userMessage("Hi")]);
      expect(agent.model.calls[0]?.prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    },
  );
});

test("L10: tools are added to the agent's, the same name replaces, and their calls go through the hooks", async () => {
  const hooked: unknown[] = [];
  await insideTurnAgent(
    {
      tools: { echo, other },
      script: inTurn(callTool("other", {}), callTool("fresh", {}), text("done")),
      beforeTurn: () => ({
        tools: {
          other: tool({ inputSchema: z.object({}), execute: async () => "replaced" }),
          fresh: tool({ inputSchema: z.object({}), execute: async () => "fresh" }),
        },
      }),
      afterToolCall: ({ toolName, output }) => void hooked.push([toolName, output]),
    },
    async (agent) => {
      await agent.saveMessages([userMessage("Hi")]);
      expect(agent.model.doStreamCalls[0]?.tools?.map(({ name }) => name).toSorted()).toEqual([
        "echo",
        "fresh",
        "other",
      ]);
    },
  );
  expect(hooked).toEqual([
    ["other", "replaced"],
    ["fresh", "fresh"],
  ]);
});

test("T261: activeTools limits what the model sees; none are none", async () => {
  const configs: TurnConfig[] = [{ activeTools: ["other"] }, { activeTools: [] }, {}];
  await insideTurnAgent({ tools: { echo, other }, beforeTurn: () => configs.shift() }, async (agent) => {
    for (const message of ["one", "two", "three"]) await agent.saveMessages([userMessage(message)]);
    expect(agent.model.doStreamCalls.map(({ tools }) => tools?.map(({ name }) => name) ?? [])).toEqual([
      ["other"],
      [],
      ["echo", "other"],
    ]);
  });
});

test("T262: the settings of the call reach the model", async () => {
  const settings = {
    maxOutputTokens: 77,
    temperature: 0.3,
    topP: 0.5,
    topK: 4,
    presencePenalty: 0.1,
    frequencyPenalty: 0.2,
    stopSequences: ["STOP"],
    seed: 42,
    headers: { "x-test": "1" },
    providerOptions: { scripted: { fast: true } },
  };
  await insideTurnAgent({ tools: { echo }, beforeTurn: () => ({ ...settings, toolChoice: "none" }) }, async (agent) => {
    await agent.saveMessages([userMessage("Hi")]);
    const { headers, ...rest } = settings;
    expect(agent.model.doStreamCalls[0]).toMatchObject({ ...rest, toolChoice: { type: "none" } });
    expect(agent.model.doStreamCalls[0]?.headers).toMatchObject(headers);
  });
});

test("the model may be another for this turn; the agent's own is not even asked for", async () => {
  const another = scriptedModel(text("from another"));
  let asked = 0;
  await insideTurnAgent(
    { beforeTurn: () => (another.calls.length === 0 ? { model: another } : undefined) },
    async (agent) => {
      const own = agent.model;
      Object.assign(agent, {
        getModel: () => {
          asked += 1;
          return own;
        },
      });
      await agent.saveMessages([userMessage("one")]);
      expect(asked).toBe(0);
      await agent.saveMessages([userMessage("two")]);
      expect(await transcript(agent)).toEqual([
        "user: one",
        "assistant: from another",
        "user: two",
        "assistant: Hello there",
      ]);
    },
  );
  expect(asked).toBe(1);
});

const loop = { tools: { other }, script: () => callTool("other", {}) };

test("T187, T243, T258, L11: steps are bounded by the agent, or by the turn for that turn only", async () => {
  const configs: TurnConfig[] = [{}, { maxSteps: 2 }, {}];
  await insideTurnAgent(
    { ...loop, configure: (agent) => Object.assign(agent, { maxSteps: 3 }), beforeTurn: () => configs.shift() },
    async (agent) => {
      const counts: number[] = [];
      for (const message of ["one", "two", "three"]) {
        const before = agent.model.calls.length;
        expect(await agent.saveMessages([userMessage(message)])).toMatchObject({ status: "completed" });
        counts.push(agent.model.calls.length - before);
      }
      expect(counts).toEqual([3, 2, 3]);
    },
  );
});

test("T244, L11: stopWhen stops earlier, one or several conditions, and never later than the bound", async () => {
  const configs: TurnConfig[] = [
    { stopWhen: isStepCount(2) },
    { stopWhen: [isStepCount(9), ({ steps }) => steps.length === 3] },
    { stopWhen: isStepCount(50), maxSteps: 4 },
  ];
  await insideTurnAgent({ ...loop, beforeTurn: () => configs.shift() }, async (agent) => {
    const counts: number[] = [];
    for (const message of ["one", "two", "three"]) {
      const before = agent.model.calls.length;
      await agent.saveMessages([userMessage(message)]);
      counts.push(agent.model.calls.length - before);
    }
    expect(counts).toEqual([2, 3, 4]);
  });
});

test.each([
  [0, 1],
  [-3, 1],
  [1.5, 1],
  [2.9, 2],
  [Number.NaN, 10],
  ["many", 10],
])("maxSteps of %j is a limit too: %i steps, of the agent and of the turn", async (maxSteps, steps) => {
  const configs = [{}, { maxSteps: maxSteps as number }];
  // The script ends by itself: without a limit the test is to fail, not to use up the memory.
  const script: Script = ({ index }) => (index < 60 ? callTool("other", {}, `call-${index}`) : text("tired"));
  await insideTurnAgent({ tools: { other }, script, beforeTurn: () => configs.shift() }, async (agent) => {
    Object.assign(agent, { maxSteps });
    await agent.saveMessages([userMessage("one")]);
    expect(agent.model.calls).toHaveLength(steps);
    Object.assign(agent, { maxSteps: 20 });
    await agent.saveMessages([userMessage("two")]);
    expect(agent.model.calls).toHaveLength(2 * steps);
  });
});

test("a fast model lets timers run between its steps", async () => {
  let fired = false;
  const firedBefore: boolean[] = [];
  const script: Script = ({ index }) => {
    firedBefore.push(fired);
    if (index === 0) setTimeout(() => (fired = true), 0);
    return index < 8 ? callTool("other", {}, `call-${index}`) : text("done");
  };
  await insideTurnAgent({ tools: { other }, script }, (agent) => agent.saveMessages([userMessage("go")]));
  expect(firedBefore).toContain(true);
});

test("T264: experimental_transform is applied to what is stored", async () => {
  const shout: TurnConfig["experimental_transform"] = () =>
    new TransformStream({
      transform(part, controller) {
        controller.enqueue(part.type === "text-delta" ? { ...part, text: part.text.toUpperCase() } : part);
      },
    });
  await insideTurnAgent({ beforeTurn: () => ({ experimental_transform: shout }) }, async (agent) => {
    const { message } = await agent.runTurn({ input: "Hi" });
    expect(textOf(message)).toBe("HELLO THERE");
  });
});

test("T265: repairToolCall mends an input before the tool runs", async () => {
  const ran: string[] = [];
  await insideTurnAgent(
    {
      script: inTurn(callTool("echo", { wrong: 1 }), text("done")),
      tools: {
        echo: tool({
          inputSchema: z.object({ say: z.string() }),
          execute: async ({ say }) => {
            ran.push(say);
            return say;
          },
        }),
      },
      beforeTurn: () => ({
        repairToolCall: async ({ toolCall }) => ({ ...toolCall, input: JSON.stringify({ say: "mended" }) }),
      }),
    },
    async (agent) => {
      const { message } = await agent.runTurn({ input: "Hi" });
      expect(toolParts(message)).toMatchObject([{ state: "output-available", output: "mended" }]);
    },
  );
  expect(ran).toEqual(["mended"]);
});

test.each([
  ["null", null],
  ["a text", "faster"],
  ["a number", 7],
  ["an array", [{ maxSteps: 1 }]],
])("what it returns that is no configuration (%s) changes nothing", async (_name, garbage) => {
  await insideTurnAgent({ beforeTurn: () => garbage as unknown as TurnConfig }, async (agent) => {
    expect(await agent.saveMessages([userMessage("Hi")])).toMatchObject({ status: "completed" });
    expect(await transcript(agent)).toEqual(["user: Hi", "assistant: Hello there"]);
  });
});

test("L16: members are read at each turn", async () => {
  await insideTurnAgent(loop, async (agent) => {
    agent.maxSteps = 1;
    await agent.saveMessages([userMessage("one")]);
    expect(agent.model.calls).toHaveLength(1);
    agent.maxSteps = 2;
    await agent.saveMessages([userMessage("two")]);
    expect(agent.model.calls).toHaveLength(3);
  });
});
