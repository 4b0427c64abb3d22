import { tool } from "ai";
import { z } from "zod";
import { expect, test } from "vitest";
import { callTool, text } from "../../src/testing/index.ts";
import type { TurnAgent, TurnSetup } from "../support/turn-agent.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { inTurn, listener, transcript } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

const refusal = (trigger: string): string =>
  `Think turn admission (${trigger}) cannot be called from inside an active turn; use runTurn({ mode: "submit" }) or ` +
  "addMessages() instead, and do not waitForSubmission() on it from inside the turn";

const blocking: [string, string, (agent: TurnAgent) => Promise<unknown>][] = [
  ["runTurn wait", "programmatic", (agent) => agent.runTurn({ input: "nested" })],
  ["runTurn continuation", "programmatic", (agent) => agent.runTurn({ continuation: true })],
  [
    "runTurn stream",
    "rpc",
    (agent) => agent.runTurn({ mode: "stream", input: "nested", callback: listener().callback }),
  ],
  ["saveMessages", "programmatic", (agent) => agent.saveMessages([userMessage("nested")])],
  ["continueLastTurn", "programmatic", (agent) => agent.continueTurn()],
  ["chat", "rpc", (agent) => agent.chat("nested", listener().callback)],
];

test.each(blocking)(
  "T-52, T151, L2b: %s from inside a turn is refused, and the turn goes on",
  async (_name, trigger, call) => {
    const refusals: unknown[] = [];
    await insideTurnAgent(
      {
        beforeTurn: async (_context, agent) => {
          refusals.push(await call(agent).catch((error: unknown) => error));
        },
      },
      async (agent) => {
        expect(await agent.saveMessages([userMessage("outer")])).toMatchObject({ status: "completed" });
        expect(await transcript(agent)).toEqual(["user: outer", "assistant: Hello there"]);
      },
    );
    expect(refusals).toEqual([new Error(refusal(trigger))]);
  },
);

type Hook = keyof TurnSetup;
const hooks: readonly Hook[] = ["beforeTurn", "beforeStep", "beforeToolCall", "afterToolCall", "onStepEnd", "onChunk"];

test.each([...hooks, "a tool", "the input function"])("T-52: from %s", async (place) => {
  const agents: TurnAgent[] = [];
  const refusals: string[] = [];
  const nested = async (): Promise<void> => {
    const error: unknown = await agents[0]?.saveMessages([userMessage("nested")]).catch((thrown: unknown) => thrown);
    refusals.push(error instanceof Error ? error.message : "not refused");
  };
  const look = async (): Promise<string> => {
    if (place === "a tool") await nested();
    return "seen";
  };
  const setup: Partial<TurnSetup> = {
    script: inTurn(callTool("look", {}), text("done")),
    tools: { look: tool({ inputSchema: z.object({}), execute: look }) },
    ...(hooks.includes(place as Hook) && { [place]: nested }),
  };
  await insideTurnAgent(setup, async (agent) => {
    agents.push(agent);
    const made = async () => {
      await nested();
      return [userMessage("outer")];
    };
    const input = place === "the input function" ? made : [userMessage("outer")];
    expect(await agent.saveMessages(input)).toMatchObject({ status: "completed" });
  });
  expect(new Set(refusals)).toEqual(new Set([refusal("programmatic")]));
});

test("L2b: also when nobody awaits it", async () => {
  const refused = Promise.withResolvers<unknown>();
  await insideTurnAgent(
    {
      beforeTurn: (_context, agent) => {
        agent.saveMessages([userMessage("nested")]).then(refused.reject, refused.resolve);
      },
    },
    async (agent) => {
      await agent.saveMessages([userMessage("outer")]);
    },
  );
  expect(await refused.promise).toEqual(new Error(refusal("programmatic")));
});

test("T-53, T151: submitting and adding are allowed inside; the submission runs after the turn", async () => {
  const receipts: unknown[] = [];
  let first = true;
  await insideTurnAgent(
    {
      script: ({ index }) => text(`answer ${index}`),
      beforeTurn: async (_context, agent) => {
        if (!first) return;
        first = false;
        receipts.push(
          await agent.submitMessages([userMessage("submitted")], { submissionId: "s1" }),
          await agent.runTurn({ mode: "submit", input: "submitted too", submissionId: "s2" }),
        );
        await agent.addMessages([userMessage("added")]);
      },
    },
    async (agent) => {
      await agent.saveMessages([userMessage("outer")]);
      await agent.waitForSubmission("s2");
      expect(await transcript(agent)).toEqual([
        "user: outer",
        "user: added",
        "assistant: answer 0",
        "user: submitted",
        "assistant: answer 1",
        "user: submitted too",
        "assistant: answer 2",
      ]);
    },
  );
  expect(receipts).toMatchObject([
    { accepted: true, status: "pending" },
    { accepted: true, status: "pending" },
  ]);
});

test("T-53: to wait for a submission from inside a turn is refused: it would wait for itself", async () => {
  const refusals: unknown[] = [];
  await insideTurnAgent(
    {
      beforeTurn: async (_context, agent) => {
        const { submissionId } = await agent
          .submitMessages([userMessage("later")], { submissionId: "s1" })
          .catch(() => ({
            submissionId: "s1",
          }));
        refusals.push(await agent.waitForSubmission(submissionId).catch((error: unknown) => error));
      },
    },
    async (agent) => {
      await agent.saveMessages([userMessage("outer")]);
      await agent.waitForSubmission("s1");
    },
  );
  expect(refusals[0]).toEqual(
    new Error(
      "waitForSubmission() cannot be called from inside an active turn: the submission runs only after this turn ends",
    ),
  );
});

test("T-55, decision 14: a nested chat is refused before its callback hears of anything", async () => {
  const { callback, calls } = listener();
  await insideTurnAgent(
    { beforeTurn: async (_context, agent) => agent.chat("nested", callback).catch(() => undefined) },
    async (agent) => {
      await agent.saveMessages([userMessage("outer")]);
    },
  );
  expect(calls).toEqual([]);
});

test("T-56, decision 13: every blocking call may be chained from onChatResponse, in a chain of several", async () => {
  const chain: ((agent: TurnAgent) => Promise<unknown>)[] = [
    (agent) => agent.saveMessages([userMessage("two")]),
    (agent) => agent.runTurn({ continuation: true }),
    (agent) => agent.chat("three", listener().callback),
  ];
  const results: unknown[] = [];
  await insideTurnAgent(
    {
      onChatResponse: async (_result, agent) => {
        results.push(await chain.shift()?.(agent));
      },
    },
    async (agent) => {
      await agent.saveMessages([userMessage("one")]);
      await new Promise<void>((resolve) => {
        const look = (): void => (results.length === 4 ? resolve() : void setTimeout(look, 1));
        look();
      });
      expect((await transcript(agent)).filter((line) => line.startsWith("user"))).toEqual([
        "user: one",
        "user: two",
        "user: three",
      ]);
    },
  );
});

test("L17: activeTurn names the turn in hooks and tools, each its own, and nothing outside", async () => {
  const agents: TurnAgent[] = [];
  const seen: unknown[] = [];
  const look = (): void => void seen.push(agents[0]?.activeTurn?.requestId);
  await insideTurnAgent(
    {
      script: ({ index }) => (index % 2 === 0 ? callTool("look", {}) : text("done")),
      tools: { look: tool({ inputSchema: z.object({}), execute: look }) },
      beforeTurn: look,
      onStepEnd: look,
    },
    async (agent) => {
      agents.push(agent);
      const [one, two] = await Promise.all([agent.runTurn({ input: "one" }), agent.runTurn({ input: "two" })]);
      expect(seen).toEqual([...Array(4).fill(one.requestId), ...Array(4).fill(two.requestId)]);
      expect(agent.activeTurn).toBeUndefined();
    },
  );
});
