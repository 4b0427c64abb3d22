import { tool, type ToolSet } from "ai";
import { z } from "zod";
import { afterEach, expect, test, vi } from "vitest";
import { callTool, text } from "../../src/testing/index.ts";
import type { TurnSetup } from "../support/turn-agent.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { eventsOf, inTurn, listener, textOf, toolParts } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

afterEach(() => vi.restoreAllMocks());

const bad = (execute: () => unknown): ToolSet => ({
  bad: tool({ inputSchema: z.object({}), execute: execute as () => Promise<unknown> }),
});

/** One call of a tool that behaves like this, then words; and a second turn, which must be like any other. */
const called = (execute: () => unknown, setup: Partial<TurnSetup> = {}) =>
  insideTurnAgent(
    { script: inTurn(callTool("bad", {}), text("done"), text("fine")), tools: bad(execute), ...setup },
    async (agent) => {
      const result = await agent.runTurn({ input: "go" });
      const events = await eventsOf(agent, result.requestId);
      const stored = await agent.getMessages();
      expect(await agent.session.getHistory()).toEqual(stored);
      expect(await agent.saveMessages([userMessage("and again")])).toMatchObject({ status: "completed" });
      expect(textOf((await agent.getMessages()).at(-1))).toBe("fine");
      return { result, events, stored, part: toolParts(stored.at(-1))[0], told: agent.model.calls[1]?.prompt.at(-1) };
    },
  );

test("an output of 3 MB is stored whole, and the model gets it", async () => {
  const huge = "x".repeat(3_000_000);
  const { result, part, told } = await called(async () => ({ huge }));
  expect(result.status).toBe("completed");
  expect(part?.output).toEqual({ huge });
  expect(JSON.stringify(told).length).toBeGreaterThan(3_000_000);
});

test("an output of 3 MB of letters that take three bytes is stored whole", async () => {
  const huge = "漢".repeat(1_000_000);
  const { result, part } = await called(async () => huge);
  expect(result.status).toBe("completed");
  expect(part?.output).toBe(huge);
});

const cyclic = (): unknown => {
  const value: Record<string, unknown> = { name: "loop" };
  value["self"] = value;
  return value;
};

test.each<[string, () => unknown]>([
  ["a cyclic object", async () => cyclic()],
  ["a big integer", async () => 10n ** 30n],
  [
    "an object whose toJSON throws",
    async () => ({
      toJSON: () => {
        throw new Error("no JSON of me");
      },
    }),
  ],
  [
    "a generator's cyclic object",
    async function* () {
      yield cyclic();
    },
  ],
])(
  "an output that is no JSON (%s) is the tool's error: the model is told, the turn goes on",
  async (_name, execute) => {
    const after: unknown[] = [];
    const { result, part, told } = await called(execute, { afterToolCall: ({ success }) => void after.push(success) });
    expect(result.status).toBe("completed");
    expect(part).toMatchObject({ state: "output-error", errorText: expect.stringContaining('"bad"') });
    expect(JSON.stringify(told)).toContain("JSON");
    expect(after).toEqual([false]);
  },
);

test("a substituted output that is no JSON is the tool's error too", async () => {
  const { result, part } = await called(async () => "never", {
    beforeToolCall: () => ({ action: "substitute", output: cyclic() }),
  });
  expect(result.status).toBe("completed");
  expect(part?.state).toBe("output-error");
});

test.each<[string, () => unknown]>([
  ["nothing", async () => undefined],
  ["a function", async () => () => 1],
  ["a symbol", async () => Symbol("s")],
])("an output that JSON leaves out (%s) does not harm the turn", async (_name, execute) => {
  const { result, part } = await called(execute);
  expect(result.status).toBe("completed");
  expect(part?.state).toMatch(/^output-/);
});

test("an output that JSON changes is in memory what it is in the store", async () => {
  const output = { nan: Number.NaN, when: new Date(0), gone: undefined, map: new Map([[1, 2]]), call: () => 1 };
  const { part } = await called(async () => output);
  expect(part?.output).toEqual({ nan: null, when: "1970-01-01T00:00:00.000Z", map: {} });
});

test("an output with half a surrogate pair does not harm the turn", async () => {
  const { result, part } = await called(async () => "a\uD800b");
  expect([result.status, part?.state]).toEqual(["completed", "output-available"]);
});

test.each<[string, unknown, string]>([
  ["text", "just text", "just text"],
  ["nothing", undefined, "unknown error"],
  ["null", null, "unknown error"],
  ["an object", { code: 42 }, "42"],
  ["an error without text", new Error(""), "Error"],
])("a tool that throws %s is the tool's error, with some text", async (_name, thrown, expected) => {
  const after: unknown[] = [];
  const { result, part, events } = await called(
    async () => {
      // oxlint-disable-next-line typescript/only-throw-error -- what a careless tool does
      throw thrown;
    },
    { afterToolCall: ({ success, error }) => void after.push(success, error) },
  );
  expect(result.status).toBe("completed");
  expect(part?.state).toBe("output-error");
  expect(part?.errorText).toMatch(/\S/);
  expect(part?.errorText).toContain(expected);
  expect(after).toEqual([false, thrown]);
  expect(events).toContain("ToolCallStarted");
});

test("a tool that throws at once, not in a promise, is the tool's error", async () => {
  const { result, part } = await called(() => {
    throw new Error("at once");
  });
  expect(result.status).toBe("completed");
  expect(part).toMatchObject({ state: "output-error", errorText: "Error: at once" });
});

test.each<[string, () => unknown]>([
  ["a promise", () => new Promise(() => {})],
  [
    "a generator",
    async function* () {
      yield "some";
      await new Promise(() => {});
    },
  ],
])(
  "a tool that never returns (%s) holds the turn only until it is ended, and the lane goes on",
  async (_name, never) => {
    const running = Promise.withResolvers<void>();
    const execute = Object.assign(never, {});
    await insideTurnAgent(
      {
        script: inTurn(callTool("bad", {}), text("fine")),
        tools: bad(execute),
        beforeToolCall: () => running.resolve(),
      },
      async (agent) => {
        let id = "";
        const { callback, calls } = listener({ onStart: ({ requestId }) => void (id = requestId) });
        const chat = agent.chat("go", callback);
        await running.promise;
        agent.cancelChat(id, "it hangs");
        await chat;
        expect(calls).toEqual(["start", "error: it hangs"]);
        expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
        const calledIds = JSON.stringify(agent.model.calls[1]?.prompt).match(/"type":"tool-call"/g) ?? [];
        const results = JSON.stringify(agent.model.calls[1]?.prompt).match(/"type":"tool-result"/g) ?? [];
        expect(results).toHaveLength(calledIds.length);
      },
    );
  },
);

test("a toModelOutput that never returns holds a turn only until it is ended, also one that finds it in the history", async () => {
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let times = 0;
  let held = true;
  const odd = tool({
    inputSchema: z.object({}),
    execute: async () => "out",
    toModelOutput: ({ output }) => {
      asked[times++]?.resolve();
      return held ? new Promise<never>(() => {}) : { type: "text", value: output };
    },
  });
  await insideTurnAgent({ script: inTurn(callTool("odd", {}), text("fine")), tools: { odd } }, async (agent) => {
    for (const [turn, { promise }] of asked.entries()) {
      await agent.submitMessages([userMessage("go")], { submissionId: `s${turn}` });
      await promise;
      await agent.cancelSubmission(`s${turn}`, "it hangs");
    }
    held = false;
    expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
  });
});

test("a tool that ends after its turn was cancelled changes nothing any more", async () => {
  const running = Promise.withResolvers<void>();
  const late = Promise.withResolvers<string>();
  const after: unknown[] = [];
  await insideTurnAgent(
    {
      script: inTurn(callTool("bad", {}), text("fine")),
      tools: bad(() => {
        running.resolve();
        return late.promise;
      }),
      afterToolCall: ({ output }) => void after.push(output),
    },
    async (agent) => {
      const turn = agent.runTurn({ input: "go" });
      await running.promise;
      agent.abortAll();
      const { requestId, status } = await turn;
      expect(status).toBe("aborted");
      const before = await agent.getMessages();
      const events = await eventsOf(agent, requestId);
      late.resolve("too late");
      await vi.waitFor(() => expect(after).toEqual(["too late"]));
      expect(await agent.getMessages()).toEqual(before);
      expect(await eventsOf(agent, requestId)).toEqual(events);
    },
  );
});

test("the abort reaches the tool", async () => {
  const reasons: unknown[] = [];
  const running = Promise.withResolvers<void>();
  await insideTurnAgent(
    {
      script: inTurn(callTool("bad", {}), text("fine")),
      tools: {
        bad: tool({
          inputSchema: z.object({}),
          execute: (_input, { abortSignal }) =>
            new Promise<string>((_, reject) => {
              abortSignal?.addEventListener("abort", () => {
                reasons.push((abortSignal.reason as Error).message);
                reject(abortSignal.reason as Error);
              });
              running.resolve();
            }),
        }),
      },
    },
    async (agent) => {
      const abort = new AbortController();
      const turn = agent.saveMessages([userMessage("go")], { signal: abort.signal });
      await running.promise;
      abort.abort(new Error("the user left"));
      expect(await turn).toMatchObject({ status: "aborted" });
    },
  );
  expect(reasons).toEqual(["the user left"]);
});

test("a prototype of a name (constructor, __proto__) as a tool's name is no tool", async () => {
  for (const name of ["constructor", "__proto__", "toString"]) {
    await insideTurnAgent({ script: inTurn(callTool(name, {}), text("done")) }, async (agent) => {
      expect(await agent.saveMessages([userMessage("go")])).toMatchObject({ status: "completed" });
      expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
    });
  }
});
