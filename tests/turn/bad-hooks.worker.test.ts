import { tool } from "ai";
import { z } from "zod";
import { afterEach, expect, test, vi } from "vitest";
import { callTool, text } from "../../src/testing/index.ts";
import type { TurnSetup } from "../support/turn-agent.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { inTurn, listener, toolParts, transcript } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

afterEach(() => vi.restoreAllMocks());

const withTool: Partial<TurnSetup> = {
  script: inTurn(callTool("look", {}), text("done"), text("fine")),
  tools: { look: tool({ inputSchema: z.object({}), execute: async () => "seen" }) },
};

const throwing = (): never => {
  throw new Error("the hook is ill");
};

type Hook = "beforeTurn" | "beforeStep" | "beforeToolCall" | "afterToolCall" | "onStepEnd" | "onChunk";

test.each<Hook>(["afterToolCall", "onStepEnd", "onChunk"])(
  "a throw in %s, which only observes, is reported and changes nothing",
  async (hook) => {
    const reported = vi.spyOn(console, "error").mockImplementation(() => {});
    await insideTurnAgent({ ...withTool, [hook]: throwing }, async (agent) => {
      const { status, message } = await agent.runTurn({ input: "go" });
      expect(status).toBe("completed");
      expect(toolParts(message)).toMatchObject([{ state: "output-available", output: "seen" }]);
    });
    expect(reported.mock.calls.map(([what]) => String(what)).every((what) => what.includes(hook))).toBe(true);
    expect(reported).toHaveBeenCalled();
  },
);

test("L14: a throw in beforeTurn rejects, the messages stay, and nothing is lost", async () => {
  await insideTurnAgent({ beforeTurn: throwing }, async (agent) => {
    await expect(agent.saveMessages([userMessage("go")])).rejects.toThrow("the hook is ill");
    expect(await transcript(agent)).toEqual(["user: go"]);
    expect(agent.model.calls).toHaveLength(0);
  });
});

test.each([0, 1])(
  "a throw in beforeStep of step %i is the turn's error, and what came before it is kept",
  async (step) => {
    await insideTurnAgent(
      {
        ...withTool,
        beforeStep: ({ stepNumber }) => {
          if (stepNumber === step) throwing();
        },
      },
      async (agent) => {
        expect(await agent.saveMessages([userMessage("go")])).toMatchObject({
          status: "error",
          error: "the hook is ill",
        });
        expect(toolParts((await agent.getMessages()).at(-1))).toHaveLength(step);
      },
    );
  },
);

/** Hooks by what they are waited for in: each must let go of a turn that is ended. */
test.each<Hook>(["beforeTurn", "beforeStep", "beforeToolCall", "afterToolCall", "onStepEnd", "onChunk"])(
  "%s that never returns holds the turn only until it is cancelled, and the lane goes on",
  async (hook) => {
    const reached = Promise.withResolvers<void>();
    let hanging = true;
    const hang = (): Promise<void> | undefined => {
      if (!hanging) return undefined;
      reached.resolve();
      return new Promise(() => {});
    };
    await insideTurnAgent({ ...withTool, [hook]: hang }, async (agent) => {
      let id = "";
      const { callback, calls } = listener({ onStart: ({ requestId }) => void (id = requestId) });
      const chat = agent.chat("go", callback);
      await reached.promise;
      agent.cancelChat(id, "it hangs");
      await chat;
      expect(calls).toEqual(["start", "error: it hangs"]);
      hanging = false;
      expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
    });
  },
);

test("an input function that never returns holds the turn only until it is cancelled or its caller gives up", async () => {
  await insideTurnAgent({}, async (agent) => {
    const reached = Promise.withResolvers<void>();
    const hang = (): Promise<never> => {
      reached.resolve();
      return new Promise(() => {});
    };
    const running = agent.saveMessages(hang);
    await reached.promise;
    agent.abortAll();
    expect(await running).toMatchObject({ status: "aborted" });

    const abort = new AbortController();
    const given = agent.saveMessages(
      () => {
        abort.abort();
        return new Promise<never>(() => {});
      },
      { signal: abort.signal },
    );
    expect(await given).toMatchObject({ status: "aborted" });
    expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
  });
});

test("a hook that never returns is let go by a reset too", async () => {
  const reached = Promise.withResolvers<void>();
  let hanging = true;
  await insideTurnAgent(
    {
      beforeTurn: () => {
        if (!hanging) return undefined;
        reached.resolve();
        return new Promise<never>(() => {});
      },
    },
    async (agent) => {
      const running = agent.saveMessages([userMessage("go")]);
      await reached.promise;
      hanging = false;
      agent.resetTurns();
      expect(await running).toMatchObject({ status: "aborted" });
      expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
    },
  );
});

test.each([
  ["getTools", null],
  ["getTools", undefined],
  ["getSystemPrompt", undefined],
  ["getModel", undefined],
  ["getModel", ""],
  ["getModel", 42],
  ["getModel", {}],
])("%s that returns %j ends the turn in some way, and the next one runs", async (member, garbage) => {
  await insideTurnAgent({}, async (agent) => {
    Object.assign(agent, { [member]: () => garbage });
    const ended: { status?: string } | Error = await agent
      .saveMessages([userMessage("go")])
      .catch((error: Error) => error);
    expect(ended instanceof Error || ["completed", "error"].includes(ended.status ?? "")).toBe(true);
    delete (agent as unknown as Record<string, unknown>)[member];
    expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
  });
});

test.each<[string, object]>([
  ["messages", { messages: "Hi" }],
  ["messages of no shape", { messages: [{ role: "nobody", content: 7 }] }],
  ["tools", { tools: { look: 42 } }],
  ["model", { model: 42 }],
  ["stopWhen", { stopWhen: 5 }],
  ["maxSteps", { maxSteps: "many" }],
  ["output", { output: {} }],
])(
  "beforeTurn with a %s that makes no sense ends the turn in some way, and the next one runs",
  async (_name, config) => {
    const configs = [config];
    await insideTurnAgent({ beforeTurn: () => configs.shift() }, async (agent) => {
      const ended: { status?: string } | Error = await agent
        .saveMessages([userMessage("go")])
        .catch((error: Error) => error);
      expect(ended instanceof Error || ["completed", "error"].includes(ended.status ?? "")).toBe(true);
      expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
    });
  },
);

test.each<[string, unknown]>([
  [
    "cyclic",
    () => {
      const value: Record<string, unknown> = {};
      value["self"] = value;
      return value;
    },
  ],
  ["a big integer", () => ({ tokens: 1n })],
])("message metadata that is no JSON (%s) ends the turn as an error; nothing hangs", async (_name, metadata) => {
  let ill = true;
  await insideTurnAgent(
    {
      configure: (agent) =>
        Object.assign(agent, { messageMetadata: () => (ill ? (metadata as () => object)() : undefined) }),
    },
    async (agent) => {
      expect(await agent.saveMessages([userMessage("go")])).toMatchObject({
        status: "error",
        error: expect.stringContaining("JSON"),
      });
      ill = false;
      expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
    },
  );
});
