import { expect, test, vi } from "vitest";
import type { ChatErrorContext } from "../../src/index.ts";
import { empty, streamError, text } from "../../src/testing/index.ts";
import type { TurnAgent, TurnSetup } from "../support/turn-agent.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { publishedBy } from "../support/telemetry.ts";
import { heldTurn, inTurn, listener, textOf, transcript } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

const silence = () => vi.spyOn(console, "error").mockImplementation(() => {});

/** How the same failing turn ends on every path: what the caller gets, and what is on record. */
const paths: [string, (agent: TurnAgent) => Promise<unknown>][] = [
  ["saveMessages", async (agent) => (await agent.saveMessages([userMessage("Hi")])).error],
  ["runTurn wait", async (agent) => (await agent.runTurn({ input: "Hi" })).error],
  [
    "chat",
    async (agent) => {
      const { callback, calls } = listener();
      await agent.chat("Hi", callback);
      return calls.at(-1)?.replace("error: ", "");
    },
  ],
  [
    "a submission",
    async (agent) => {
      await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
      return (await agent.waitForSubmission("s1"))?.error;
    },
  ],
];

test.each(paths)("decision 15, T16, H12: an error in the stream of %s goes through onChatError", async (_name, run) => {
  const contexts: (ChatErrorContext | undefined)[] = [];
  await insideTurnAgent(
    {
      script: () => streamError("provider said something secret", "part"),
      onChatError: (error, context) => {
        contexts.push(context);
        return new Error(`We are sorry (${(error as Error).message.length})`);
      },
    },
    async (agent) => {
      expect(await run(agent)).toBe("We are sorry (30)");
      const { events } = await agent.auditLog({ types: ["TurnFailed"] });
      expect(events).toMatchObject([{ data: { error: "We are sorry (30)" } }]);
      expect((await transcript(agent)).at(-1)).toBe("assistant: part");
      expect(contexts).toEqual([
        { requestId: events[0]?.correlationId, stage: "stream", messagesPersisted: true, continuation: false },
      ]);
    },
  );
});

test("H12: before the stream the stage is turn, and a continuation says so", async () => {
  const contexts: (ChatErrorContext | undefined)[] = [];
  let failing = false;
  await insideTurnAgent(
    {
      beforeTurn: () => {
        if (failing) throw new Error("no");
      },
      onChatError: (error, context) => {
        contexts.push(context);
        return error;
      },
    },
    async (agent) => {
      await agent.saveMessages([userMessage("Hi")]);
      failing = true;
      await expect(agent.continueTurn()).rejects.toThrow("no");
      expect(contexts).toMatchObject([{ stage: "turn", messagesPersisted: true, continuation: true }]);
    },
  );
});

test("H12: once a function's messages are stored, the stage is turn", async () => {
  const contexts: (ChatErrorContext | undefined)[] = [];
  await insideTurnAgent(
    {
      beforeTurn: () => {
        throw new Error("no");
      },
      onChatError: (error, context) => {
        contexts.push(context);
        return error;
      },
    },
    async (agent) => {
      await expect(agent.saveMessages(() => [userMessage("Hi")])).rejects.toThrow("no");
      expect(await transcript(agent)).toEqual(["user: Hi"]);
    },
  );
  expect(contexts).toMatchObject([{ stage: "turn", messagesPersisted: true }]);
});

test("H12: when the caller's function fails, nothing was stored yet, and onChatError is told so", async () => {
  const contexts: (ChatErrorContext | undefined)[] = [];
  await insideTurnAgent(
    {
      onChatError: (error, context) => {
        contexts.push(context);
        return error;
      },
    },
    async (agent) => {
      const fail = (): never => {
        throw new Error("no input");
      };
      await expect(agent.saveMessages(fail)).rejects.toThrow("no input");
    },
  );
  expect(contexts).toMatchObject([{ stage: "persist", messagesPersisted: false }]);
});

test.each<[string, unknown, string]>([
  ["an error with a text", new Error("in other words"), "in other words"],
  ["text", "in other words", "in other words"],
  ["nothing", undefined, "provider is down"],
  ["null", null, "provider is down"],
  ["an error without text", new Error(""), "Unknown error"],
])("what onChatError returns is what is told: %s", async (_name, returned, told) => {
  await insideTurnAgent(
    { script: () => streamError("provider is down"), onChatError: () => returned },
    async (agent) => {
      expect(await agent.saveMessages([userMessage("Hi")])).toMatchObject({ status: "error", error: told });
    },
  );
});

test.each<[string, TurnSetup["onChatError"]]>([
  [
    "throws",
    () => {
      throw new Error("onChatError is ill");
    },
  ],
  ["returns a promise, which is not awaited", async () => "too late"],
  ["returns a promise that rejects", () => Promise.reject(new Error("too late"))],
])("an onChatError that %s leaves the error as it was, with a report", async (_name, onChatError) => {
  const reported = silence();
  await insideTurnAgent({ script: () => streamError("provider is down"), onChatError }, async (agent) => {
    expect(await agent.saveMessages([userMessage("Hi")])).toMatchObject({ status: "error", error: "provider is down" });
    expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "error" });
  });
  expect(String(reported.mock.calls[0]?.[0])).toContain("onChatError");
  reported.mockRestore();
});

test("T17, T18, T19: each failed turn publishes chat:request:failed once, with the words that are told", async () => {
  await insideTurnAgent({ script: () => streamError("down"), onChatError: () => "sorry" }, async (agent) => {
    const { requestId } = await agent.saveMessages([userMessage("Hi")]);
    await agent.chat("Hi", listener().callback);
    const failed = publishedBy(agent.name).filter(({ type }) => type === "chat:request:failed");
    expect(failed.map(({ payload }) => payload)).toMatchObject([
      { requestId, stage: "stream", messagesPersisted: true, error: "sorry" },
      { stage: "stream", messagesPersisted: true, error: "sorry" },
    ]);
    expect(failed).toHaveLength(2);
  });
});

test("an aborted turn is no failure: onChatError is not asked", async () => {
  const asked: unknown[] = [];
  const first = heldTurn();
  await insideTurnAgent({ ...first, onChatError: (error) => void asked.push(error) }, async (agent) => {
    const running = agent.saveMessages([userMessage("Hi")]);
    await first.reached;
    agent.abortAll();
    expect(await running).toMatchObject({ status: "aborted" });
    expect(publishedBy(agent.name).map(({ type }) => type)).not.toContain("chat:request:failed");
  });
  expect(asked).toEqual([]);
});

test("T63, T64, T65: nothing after an error in the stream is taken, and what came before it is kept", async () => {
  const reply = streamError("down", "before");
  const script = inTurn({ steps: [...reply.steps.slice(0, -1), ...text("after").steps] }, text("fine"));
  await insideTurnAgent({ script }, async (agent) => {
    const { callback, chunks, calls } = listener();
    await agent.chat("Hi", callback);
    expect(calls).toEqual(["start", "error: down"]);
    expect(JSON.stringify(chunks)).not.toContain("after");
    expect(textOf((await agent.getMessages()).at(-1))).toBe("before");
    expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
  });
});

test("T14: a model that throws before it streams is an error of the stream too", async () => {
  await insideTurnAgent(
    {
      script: () => {
        throw new Error("401");
      },
      beforeTurn: () => ({ maxRetries: 0 }),
    },
    async (agent) => {
      expect(await agent.saveMessages([userMessage("Hi")])).toMatchObject({ status: "error", error: "401" });
      expect(await transcript(agent)).toEqual(["user: Hi"]);
    },
  );
});

test("T59, T62, T63, T69, T70, T71: the response hook hears of each turn once, as it ended, in order", async () => {
  const heard: unknown[] = [];
  await insideTurnAgent(
    {
      script: inTurn(text("fine"), streamError("down", "part"), streamError("down"), empty()),
      onChatResponse: ({ status, error, message, requestId, continuation }) =>
        void heard.push({ status, error, text: textOf(message), requestId, continuation }),
    },
    async (agent) => {
      const results = await Promise.all(["one", "two", "three", "four"].map((input) => agent.runTurn({ input })));
      const common = results.map(({ requestId }) => ({ requestId, continuation: false }));
      expect(heard).toEqual([
        { ...common[0], status: "completed", error: undefined, text: "fine" },
        { ...common[1], status: "error", error: "down", text: "part" },
        { ...common[2], status: "error", error: "down", text: "" },
        { ...common[3], status: "completed", error: undefined, text: "" },
      ]);
    },
  );
});

test("H10, decision 13: the message is stored and the lane is free when the response hook runs; its caller waits for it", async () => {
  const order: string[] = [];
  await insideTurnAgent(
    {
      onChatResponse: async ({ message }, agent) => {
        const stored = (await agent.getMessages()).some(({ id }) => id === message.id);
        await scheduler.wait(5);
        order.push(`hook, stored: ${stored}`);
      },
    },
    async (agent) => {
      await agent.saveMessages([userMessage("one")]);
      order.push("returned");
    },
  );
  expect(order).toEqual(["hook, stored: true", "returned"]);
});

test("H10: it hears nothing of turns that were skipped, or were ended while they waited", async () => {
  const heard: string[] = [];
  const first = heldTurn();
  await insideTurnAgent({ ...first, onChatResponse: ({ status }) => void heard.push(status) }, async (agent) => {
    const running = agent.saveMessages([userMessage("one")]);
    await first.reached;
    let id = "";
    const { callback } = listener({ onStart: ({ requestId }) => void (id = requestId) });
    const waiting = agent.chat("two", callback);
    await vi.waitFor(async () => expect((await agent.auditLog({ types: ["TurnSubmitted"] })).events).toHaveLength(2));
    agent.cancelChat(id);
    await waiting;
    first.open();
    await running;
    expect(await agent.runTurn({ input: "" })).toMatchObject({ status: "skipped" });
  });
  expect(heard).toEqual(["completed"]);
});

test("H11: what the response hook throws is reported, and neither its turn nor the next is touched", async () => {
  const reported = silence();
  await insideTurnAgent(
    {
      onChatResponse: () => {
        throw new Error("the hook is ill");
      },
    },
    async (agent) => {
      expect(await agent.saveMessages([userMessage("one")])).toMatchObject({ status: "completed" });
      expect(await agent.saveMessages([userMessage("two")])).toMatchObject({ status: "completed" });
    },
  );
  expect(reported).toHaveBeenCalledTimes(2);
  reported.mockRestore();
});

const throws = (value: unknown) => () => {
  throw value;
};

test.each<[string, unknown, string]>([
  ["a bare object", Object.create(null), "An error that cannot be put into words"],
  ["an object whose toString throws", { toString: throws(new Error("no")) }, "An error that cannot be put into words"],
  ["an Error whose message is no text", Object.assign(new Error("x"), { message: { code: 1 } }), "[object Object]"],
  ["an Error without a message", Object.assign(new Error("x"), { message: undefined }), "undefined"],
  ["half a character", new Error("cut \ud83d"), "cut \ufffd"],
])("an agent that throws %s ends its turn once, with words for it", async (_name, thrown, error) => {
  silence();
  await insideTurnAgent({ beforeTurn: throws(thrown) as never }, async (agent) => {
    await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
    expect(await agent.waitForSubmission("s1", { timeoutMs: 5_000 })).toMatchObject({ status: "error", error });
  });
});

test("an error of 20 MB is stored in part, and the model is asked once", async () => {
  silence();
  await insideTurnAgent({ script: () => streamError("x".repeat(20_000_000)) }, async (agent) => {
    await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
    const { error } = (await agent.waitForSubmission("s1", { timeoutMs: 5_000 })) ?? {};
    expect(error).toMatch(/^x{8192} … \(19991808 more characters\)$/);
    expect(agent.model.calls).toHaveLength(1);
  });
});

test("an answer that cannot be stored ends its turn with that reason, and the model is asked once", async () => {
  silence();
  await insideTurnAgent({ script: () => text("Hello") }, async (agent, { storage }) => {
    storage.sql.exec(`CREATE TRIGGER full BEFORE INSERT ON cf_agents_session_messages WHEN NEW.role = 'assistant'
      BEGIN SELECT RAISE(ABORT, 'no room for answers'); END`);
    await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
    const { status, error } = (await agent.waitForSubmission("s1", { timeoutMs: 5_000 })) ?? {};
    expect({ status, calls: agent.model.calls.length }).toEqual({ status: "error", calls: 1 });
    expect(error).toContain("no room for answers");
    await expect(agent.saveMessages([userMessage("Hi")])).rejects.toThrow("no room for answers");
  });
});
