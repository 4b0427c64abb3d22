import { tool } from "ai";
import { z } from "zod";
import { afterEach, expect, test, vi } from "vitest";
import type { ContextOverflowConfig } from "../../src/index.ts";
import { callTool, type Reply, streamError, text } from "../../src/testing/index.ts";
import { freshAgent, inside } from "../support/agents.ts";
import type { TurnAgent, TurnSetup } from "../support/turn-agent.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { publishedBy } from "../support/telemetry.ts";
import { eventsOf, inTurn, listener, transcript } from "../support/turn-probes.ts";
import { setUp, userMessage } from "../support/test-agent.ts";

afterEach(() => vi.restoreAllMocks());

const tooLong = (...before: string[]): Reply => streamError("prompt is too long", ...before);

/** An agent that summarises the two oldest messages, earlier summaries too, and counts how often. */
function compacting(contextOverflow: ContextOverflowConfig, setup: Partial<TurnSetup>) {
  const compactions: number[] = [];
  const configure = (agent: TurnAgent): void => {
    agent.contextOverflow = contextOverflow;
    agent.session.onCompaction(async (messages) => {
      compactions.push(messages.length);
      const [first, last] = [messages[0], messages[1]];
      if (!first || !last) return null;
      return { fromMessageId: first.id, toMessageId: last.id, summary: `summary ${compactions.length}` };
    });
  };
  return { compactions, setup: { configure, ...setup } };
}

/** A conversation with something to summarise. */
const seed = (agent: TurnAgent): Promise<void> =>
  agent.addMessages(
    [0, 1, 2].flatMap((n) => [
      userMessage(`question ${n} ${"long ".repeat(100)}`, `u${n}`),
      {
        id: `a${n}`,
        role: "assistant" as const,
        parts: [{ type: "text" as const, text: `answer ${n} ${"long ".repeat(100)}` }],
      },
    ]),
  );

const promptOf = (agent: TurnAgent, call: number): string => JSON.stringify(agent.model.calls[call]?.prompt);
const compactedEvents = (agent: TurnAgent) =>
  publishedBy(agent.name).filter(({ type }) => type === "chat:context:compacted");

test("T188, T189, L60, L13: reactive: compacted once, prepared again, answered; nothing of the first try is kept", async () => {
  const seen: boolean[] = [];
  const { compactions, setup } = compacting(
    { reactive: true },
    {
      script: inTurn(tooLong("half of it"), text("fine")),
      beforeTurn: ({ continuation }) => void seen.push(continuation),
    },
  );
  await insideTurnAgent(setup, async (agent) => {
    await seed(agent);
    const { requestId, status } = await agent.saveMessages([userMessage("new")]);
    expect(status).toBe("completed");
    expect(compactions).toEqual([7]);
    expect(promptOf(agent, 0)).toContain("question 0");
    expect(promptOf(agent, 1)).not.toContain("question 0");
    expect(promptOf(agent, 1)).toContain("summary 1");
    expect((await transcript(agent)).slice(-2)).toEqual(["user: new", "assistant: fine"]);
    expect(compactedEvents(agent).map(({ payload }) => payload)).toEqual([
      expect.objectContaining({ reason: "reactive", shortened: true, requestId, attempt: 1 }),
    ]);
    expect((await eventsOf(agent, requestId)).at(-1)).toBe("TurnCompleted");
  });
  expect(seen).toEqual([false, false]);
});

test("T190: reactive off: the overflow is the turn's error, and nothing is compacted", async () => {
  const { compactions, setup } = compacting({}, { script: () => tooLong() });
  await insideTurnAgent(setup, async (agent) => {
    await seed(agent);
    expect(await agent.saveMessages([userMessage("new")])).toMatchObject({
      status: "error",
      error: "prompt is too long",
    });
    expect(agent.model.calls).toHaveLength(1);
  });
  expect(compactions).toEqual([]);
});

test("T191, H12: compaction that cannot shorten is the end, through onChatError with the classification", async () => {
  const contexts: unknown[] = [];
  const { setup } = compacting(
    { reactive: true },
    {
      script: () => tooLong(),
      onChatError: (_error, context) => {
        contexts.push(context);
        return "It got too long.";
      },
    },
  );
  await insideTurnAgent(setup, async (agent) => {
    agent.session.onCompaction(async () => null);
    await seed(agent);
    expect(await agent.saveMessages([userMessage("new")])).toMatchObject({
      status: "error",
      error: "It got too long.",
    });
    expect(agent.model.calls).toHaveLength(1);
    expect(compactedEvents(agent)).toMatchObject([{ payload: { shortened: false } }]);
  });
  expect(contexts).toMatchObject([{ stage: "stream", classification: "context_overflow" }]);
});

test.each([
  [1, undefined],
  [3, 3],
])("T192: an overflow that stays ends after %i retries", async (retries, maxRetries) => {
  const { compactions, setup } = compacting(
    { reactive: true, ...(maxRetries !== undefined && { maxRetries }) },
    { script: () => tooLong() },
  );
  await insideTurnAgent(setup, async (agent) => {
    await seed(agent);
    expect(await agent.saveMessages([userMessage("new")])).toMatchObject({ status: "error" });
    expect(agent.model.calls).toHaveLength(retries + 1);
  });
  expect(compactions).toHaveLength(retries);
});

test("T193, T194, L62: an abort while the conversation is compacted wins: no retry, status aborted", async () => {
  const inCompaction = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const { setup } = compacting({ reactive: true }, { script: () => tooLong() });
  await insideTurnAgent(setup, async (agent) => {
    agent.session.onCompaction(async (messages) => {
      inCompaction.resolve();
      await go.promise;
      return { fromMessageId: messages[0]?.id ?? "", toMessageId: messages.at(-2)?.id ?? "", summary: "late" };
    });
    await seed(agent);
    const running = agent.saveMessages([userMessage("new")]);
    await inCompaction.promise;
    agent.abortAll();
    go.resolve();
    expect(await running).toMatchObject({ status: "aborted" });
    expect(agent.model.calls).toHaveLength(1);
  });
});

test("a compaction that never returns does not keep the lane once the turn is ended", async () => {
  const inCompaction = Promise.withResolvers<void>();
  const { setup } = compacting({ reactive: true }, { script: inTurn(tooLong(), text("fine")) });
  await insideTurnAgent(setup, async (agent) => {
    agent.session.onCompaction(() => {
      inCompaction.resolve();
      return new Promise<never>(() => {});
    });
    await seed(agent);
    const running = agent.saveMessages([userMessage("new")]);
    await inCompaction.promise;
    agent.abortAll();
    expect(await running).toMatchObject({ status: "aborted" });
    expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
  });
});

const paths: [string, (agent: TurnAgent) => Promise<unknown>][] = [
  ["saveMessages", async (agent) => (await agent.saveMessages([userMessage("new")])).status],
  [
    "chat",
    async (agent) => {
      const { callback, calls } = listener();
      await agent.chat("new", callback);
      return calls.join() === "start,done" ? "completed" : calls;
    },
  ],
  [
    "a submission",
    async (agent) => {
      await agent.submitMessages([userMessage("new")], { submissionId: "s1" });
      return (await agent.waitForSubmission("s1"))?.status;
    },
  ],
  ["K-18: a continuation", async (agent) => (await agent.continueTurn()).status],
];

test.each(paths)("T195, T196, L61: %s recovers from a model that refuses before it streams", async (_name, run) => {
  const { compactions, setup } = compacting(
    { reactive: true },
    {
      script: ({ index }) => {
        if (index === 0) throw new Error("input is too long");
        return text("fine");
      },
      beforeTurn: () => ({ maxRetries: 0 }),
    },
  );
  await insideTurnAgent(setup, async (agent) => {
    await seed(agent);
    expect(await run(agent)).toBe("completed");
    expect(agent.model.calls).toHaveLength(2);
  });
  expect(compactions).toHaveLength(1);
});

const grow = {
  tools: { look: tool({ inputSchema: z.object({}), execute: async () => "seen" }) },
  script: inTurn(callTool("look", {}, "c1"), callTool("look", {}, "c2"), text("done")),
};
/** Every scripted step reports 10 input tokens. */
const nearlyFull = { maxInputTokens: 11, headroom: 0.9 };

test("T200, L63: proactive: a step that used its share has the next one compacted, with what the turn added", async () => {
  const { compactions, setup } = compacting({ proactive: nearlyFull }, grow);
  await insideTurnAgent(setup, async (agent) => {
    await seed(agent);
    const { requestId, status } = await agent.saveMessages([userMessage("new")]);
    expect(status).toBe("completed");
    expect(compactions).toHaveLength(1);
    expect(promptOf(agent, 0)).toContain("question 0");
    expect(promptOf(agent, 1)).toContain("summary 1");
    expect(promptOf(agent, 1)).not.toContain("question 0");
    expect(agent.model.calls[1]?.prompt.slice(-3).map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(compactedEvents(agent)).toMatchObject([{ payload: { reason: "proactive", shortened: true, requestId } }]);
  });
});

test("T201: compacted twice, the prompt is still whole: each call has its result", async () => {
  const { compactions, setup } = compacting({ proactive: { ...nearlyFull, maxCompactions: 2 } }, grow);
  await insideTurnAgent(setup, async (agent) => {
    await seed(agent);
    expect(await agent.saveMessages([userMessage("new")])).toMatchObject({ status: "completed" });
    expect(compactions).toHaveLength(2);
    const roles = agent.model.calls[2]?.prompt.map(({ role }) => role);
    expect(roles?.slice(-5)).toEqual(["user", "assistant", "tool", "assistant", "tool"]);
  });
});

test("T202: a compaction that shortens nothing uses up its slot, and the step goes on as it was", async () => {
  const { setup } = compacting({ proactive: nearlyFull }, grow);
  const tried: number[] = [];
  await insideTurnAgent(setup, async (agent) => {
    agent.session.onCompaction(async (messages) => {
      tried.push(messages.length);
      return null;
    });
    await seed(agent);
    expect(await agent.saveMessages([userMessage("new")])).toMatchObject({ status: "completed" });
    expect(promptOf(agent, 2)).toContain("question 0");
  });
  expect(tried).toHaveLength(1);
});

test("L63: under the threshold nothing is compacted", async () => {
  const { compactions, setup } = compacting({ proactive: { maxInputTokens: 1000 } }, grow);
  await insideTurnAgent(setup, async (agent) => {
    await seed(agent);
    await agent.saveMessages([userMessage("new")]);
  });
  expect(compactions).toEqual([]);
});

test("H2: beforeStep sees the messages after the proactive compaction", async () => {
  const seen: string[] = [];
  const { setup } = compacting(
    { proactive: nearlyFull },
    { ...grow, beforeStep: ({ messages }) => void seen.push(JSON.stringify(messages)) },
  );
  await insideTurnAgent(setup, async (agent) => {
    await seed(agent);
    await agent.saveMessages([userMessage("new")]);
  });
  expect(seen.map((messages) => messages.includes("summary 1"))).toEqual([false, true, true]);
});

test("T199: both layers together: proactive in the step, reactive when it still overflows", async () => {
  const { compactions, setup } = compacting(
    { reactive: true, proactive: nearlyFull },
    { ...grow, script: inTurn(callTool("look", {}), tooLong(), text("fine")) },
  );
  await insideTurnAgent(setup, async (agent) => {
    await seed(agent);
    expect(await agent.saveMessages([userMessage("new")])).toMatchObject({ status: "completed" });
    expect((await transcript(agent)).at(-1)).toBe("assistant: fine");
  });
  expect(compactions).toHaveLength(2);
});

test("L65: without a compaction function the overflow is the turn's error", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  await insideTurnAgent(
    { script: () => tooLong(), configure: (agent) => Object.assign(agent, { contextOverflow: { reactive: true } }) },
    async (agent) => {
      expect(await agent.saveMessages([userMessage("new")])).toMatchObject({
        status: "error",
        error: "prompt is too long",
      });
      expect(agent.model.calls).toHaveLength(1);
    },
  );
});

test("L55: a classifier that throws counts as unknown: the error stays the turn's", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { compactions, setup } = compacting({ reactive: true }, { script: () => tooLong() });
  await insideTurnAgent(setup, async (agent) => {
    Object.assign(agent, {
      classifyChatError: () => {
        throw new Error("ill");
      },
    });
    expect(await agent.saveMessages([userMessage("new")])).toMatchObject({
      status: "error",
      error: "prompt is too long",
    });
  });
  expect(compactions).toEqual([]);
});

test("L64, L55: reactive without a classifier is warned of, once; one that an instance has is asked", async () => {
  const warnings: unknown[] = [];
  vi.spyOn(console, "warn").mockImplementation((what) => void warnings.push(what));
  const { name, agent: client } = await freshAgent();
  setUp(name, { script: () => tooLong() });
  await inside(client, async (agent) => {
    agent.contextOverflow = { reactive: true };
    await agent.saveMessages([userMessage("one")]);
    await agent.saveMessages([userMessage("two")]);
    expect(warnings).toEqual([expect.stringContaining("classifyChatError")]);
    const asked: unknown[] = [];
    Object.assign(agent, { classifyChatError: (error: unknown) => void asked.push(error) });
    await agent.saveMessages([userMessage("three")]);
    expect(asked).toEqual([new Error("prompt is too long")]);
  });
});
