import { afterEach, expect, test, vi } from "vitest";
import type { UIMessage } from "ai";
import { callTool, empty, streamError, text } from "../../src/testing/index.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import {
  callTools,
  eventsOf,
  heldTurn,
  inTurn,
  listener,
  textOf,
  toolParts,
  transcript,
} from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

afterEach(() => vi.restoreAllMocks());

test("T-26, T8: onStart is awaited before the turn is admitted, and each chunk before the next", async () => {
  await insideTurnAgent({}, async (agent) => {
    const order: string[] = [];
    const { callback } = listener({
      onStart: async () => {
        await scheduler.wait(1);
        order.push(`start, ${(await agent.auditLog()).events.length} events`);
      },
      onEvent: async (json) => {
        const { type } = JSON.parse(json) as { type: string };
        order.push(`> ${type}`);
        await scheduler.wait(1);
        order.push(`< ${type}`);
      },
    });
    await agent.chat("Hi", callback);
    expect(order[0]).toBe("start, 0 events");
    expect(order.slice(1)).toEqual(
      ["start", "start-step", "text-start", "text-delta", "text-delta", "text-end", "finish-step", "finish"].flatMap(
        (type) => [`> ${type}`, `< ${type}`],
      ),
    );
  });
});

test("T-27, T9: empty text is answered, as a user message of empty text", async () => {
  await insideTurnAgent({}, async (agent) => {
    const { callback, calls } = listener();
    await agent.chat("", callback);
    expect(calls).toEqual(["start", "done"]);
    const [user, assistant] = await agent.getMessages();
    expect(user).toMatchObject({ role: "user", parts: [{ type: "text", text: "" }] });
    expect(textOf(assistant)).toBe("Hello there");
  });
});

test("T31, T32: a message of several parts is stored with all of them", async () => {
  await insideTurnAgent({}, async (agent) => {
    const parts: UIMessage["parts"] = [
      { type: "text", text: "look" },
      { type: "file", mediaType: "image/png", url: "data:image/png;base64,AA==" },
      { type: "data-note", data: { n: 1 } },
    ];
    await agent.chat({ id: "m1", role: "user", parts }, listener().callback);
    expect((await agent.getMessages())[0]).toEqual({ id: "m1", role: "user", parts });
  });
});

test("T-28: onDone comes after the answer is stored and on record", async () => {
  await insideTurnAgent({}, async (agent) => {
    const atEnd: unknown[] = [];
    let id = "";
    const { callback } = listener({
      onStart: ({ requestId }) => void (id = requestId),
      onDone: async () => void atEnd.push(await transcript(agent), (await eventsOf(agent, id)).at(-1)),
    });
    await agent.chat("Hi", callback);
    expect(atEnd).toEqual([["user: Hi", "assistant: Hello there"], "TurnCompleted"]);
  });
});

test("T-28, T14, T15, T26: an error in the stream is the one last call; the part is kept, and the next chat works", async () => {
  await insideTurnAgent({ script: inTurn(streamError("model is down", "part"), text("fine")) }, async (agent) => {
    const failed = listener();
    await agent.chat("Hi", failed.callback);
    expect(failed.calls).toEqual(["start", "error: model is down"]);
    const next = listener();
    await agent.chat("again", next.callback);
    expect(next.calls).toEqual(["start", "done"]);
    expect(await transcript(agent)).toEqual(["user: Hi", "assistant: part", "user: again", "assistant: fine"]);
  });
});

test("T-28: a fault before the stream goes through onChatError to onError, and chat resolves", async () => {
  await insideTurnAgent(
    {
      beforeTurn: () => {
        throw new Error("secret");
      },
      onChatError: () => "We are sorry.",
    },
    async (agent) => {
      const { callback, calls } = listener();
      await agent.chat("Hi", callback);
      expect(calls).toEqual(["start", "error: We are sorry."]);
    },
  );
});

test("T-28, T67, T68: when onError throws, chat rejects with that, and the response hook is called once", async () => {
  const responses: string[] = [];
  await insideTurnAgent(
    { script: () => streamError("down"), onChatResponse: ({ status }) => void responses.push(status) },
    async (agent) => {
      const { callback, calls } = listener({
        onError: () => {
          throw new Error("the caller is gone");
        },
      });
      await expect(agent.chat("Hi", callback)).rejects.toThrow("the caller is gone");
      expect(calls).toEqual(["start", "error: down"]);
    },
  );
  expect(responses).toEqual(["error"]);
});

test("L2c: what onEvent throws ends the turn as an error of its stream, and what came until then is kept", async () => {
  await insideTurnAgent({ script: inTurn(text("one ", "two ", "three"), text("fine")) }, async (agent) => {
    const { callback, calls } = listener({
      onEvent: (json) => {
        if (json.includes("two")) throw new Error("socket closed");
      },
    });
    await agent.chat("Hi", callback);
    expect(calls).toEqual(["start", "error: socket closed"]);
    expect((await transcript(agent)).at(-1)).toBe("assistant: one two ");
    expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
  });
});

test("what onStart throws rejects, and there is no turn", async () => {
  await insideTurnAgent({}, async (agent) => {
    const { callback, calls } = listener({
      onStart: () => {
        throw new Error("not now");
      },
    });
    await expect(agent.chat("Hi", callback)).rejects.toThrow("not now");
    expect(calls).toEqual(["start"]);
    expect((await agent.auditLog()).events).toEqual([]);
  });
});

test("T-30, T27–T30, decision 14: an aborted chat keeps its part and ends with one error call, the reason", async () => {
  const first = heldTurn();
  await insideTurnAgent(first, async (agent) => {
    let id = "";
    const { callback, calls } = listener({ onStart: ({ requestId }) => void (id = requestId) });
    const chat = agent.chat("Hi", callback);
    await first.reached;
    agent.cancelChat(id, "the user left");
    await chat;
    expect(calls).toEqual(["start", "error: the user left"]);
    expect((await transcript(agent)).at(-1)).toBe("assistant: half");

    const next = listener();
    await agent.chat("again", next.callback);
    expect(next.calls).toEqual(["start", "done"]);
  });
});

test("T-30, decision 14: a chat that waits while the lane is reset ends with one error call", async () => {
  const first = heldTurn();
  await insideTurnAgent(first, async (agent) => {
    const running = listener();
    const waiting = listener();
    const chats = [agent.chat("one", running.callback)];
    await first.reached;
    chats.push(agent.chat("two", waiting.callback));
    await vi.waitFor(async () => expect((await agent.auditLog({ types: ["TurnSubmitted"] })).events).toHaveLength(2));
    agent.resetTurns();
    await Promise.all(chats);
    expect(running.calls).toEqual(["start", "error: Turn state reset"]);
    expect(waiting.calls).toEqual(["start", "error: Submission was skipped by turn reset."]);
    expect(await transcript(agent)).toEqual(["user: one"]);
  });
});

test("T61: an empty stream is done, and the response hook hears of it", async () => {
  const responses: unknown[] = [];
  await insideTurnAgent(
    { script: () => empty(), onChatResponse: ({ status, message }) => void responses.push([status, message.parts]) },
    async (agent) => {
      const { callback, calls } = listener();
      await agent.chat("Hi", callback);
      expect(calls).toEqual(["start", "done"]);
    },
  );
  expect(responses).toEqual([["completed", []]]);
});

const weather = { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } } as const;

test("T-32: a client tool without an executor leaves the call open, and the next turn's prompt is valid", async () => {
  const prompts: string[] = [];
  await insideTurnAgent({ script: inTurn(callTool("weather", { city: "Oslo" }), text("fine")) }, async (agent) => {
    const { callback, calls } = listener();
    await agent.chat("Weather?", callback, { clientTools: [weather] });
    expect(calls).toEqual(["start", "done"]);
    expect(toolParts((await agent.getMessages()).at(-1))).toMatchObject([
      { type: "tool-weather", state: "input-available", input: { city: "Oslo" } },
    ]);
    await agent.chat("never mind", listener().callback);
    prompts.push(JSON.stringify(agent.model.calls[1]?.prompt));
    const calledIds = new Set(
      [...(prompts[0] ?? "").matchAll(/"type":"tool-call","toolCallId":"([^"]+)"/g)].map(([, id]) => id),
    );
    const answeredIds = new Set(
      [...(prompts[0] ?? "").matchAll(/"type":"tool-result","toolCallId":"([^"]+)"/g)].map(([, id]) => id),
    );
    expect(calledIds).toEqual(answeredIds);
  });
});

test("T-32: with an executor the calls run inline, several in a step and over several steps", async () => {
  const script = inTurn(
    callTools(callTool("weather", { city: "Oslo" }, "c1"), callTool("weather", { city: "Rome" }, "c2")),
    callTool("weather", { city: "Cairo" }, "c3"),
    text("cold, mild, hot"),
  );
  await insideTurnAgent({ script }, async (agent) => {
    const { callback, calls } = listener();
    await agent.chat("Weather?", callback, {
      clientTools: [weather],
      onClientToolCall: async ({ input }) => `weather in ${(input as { city: string }).city}`,
    });
    expect(calls).toEqual(["start", "done"]);
    const answer = (await agent.getMessages()).at(-1);
    expect(toolParts(answer).map(({ output }) => output)).toEqual([
      "weather in Oslo",
      "weather in Rome",
      "weather in Cairo",
    ]);
    expect(textOf(answer)).toBe("cold, mild, hot");
  });
});

test("T-32: what the executor throws is the tool's error, not the turn's; and the tools are of this turn only", async () => {
  const tools: string[][] = [];
  await insideTurnAgent(
    {
      script: inTurn(callTool("weather", {}), text("no idea"), text("fine")),
      beforeTurn: (context) => void tools.push(Object.keys(context.tools)),
    },
    async (agent) => {
      const { callback, calls } = listener();
      await agent.chat("Weather?", callback, {
        clientTools: [weather],
        onClientToolCall: async () => {
          throw new Error("no satellite");
        },
      });
      expect(calls).toEqual(["start", "done"]);
      expect(toolParts((await agent.getMessages()).at(-1))).toMatchObject([
        { state: "output-error", errorText: "Error: no satellite" },
      ]);
      await agent.chat("and now?", listener().callback);
    },
  );
  expect(tools).toEqual([["weather"], []]);
});

test("T-33: metadata and channel are on the user's messages, and activeTurnMetadata has the metadata in the turn", async () => {
  const inside: unknown[] = [];
  await insideTurnAgent(
    { beforeTurn: (_context, agent) => void inside.push(agent.activeTurnMetadata, agent.activeTurn) },
    async (agent) => {
      let id = "";
      const { callback } = listener({ onStart: ({ requestId }) => void (id = requestId) });
      await agent.chat("Hi", callback, { metadata: { tenant: "acme" }, channel: "voice" });
      expect((await agent.getMessages())[0]?.metadata).toEqual({ channel: "voice", turnMetadata: { tenant: "acme" } });
      expect(inside).toEqual([
        { tenant: "acme" },
        { requestId: id, trigger: "rpc", continuation: false, channel: "voice" },
      ]);
      expect([agent.activeTurn, agent.activeTurnMetadata]).toEqual([undefined, undefined]);
    },
  );
});

test("T-34, T12: tools among the options are ignored, with a warning", async () => {
  const warnings: unknown[] = [];
  vi.spyOn(console, "warn").mockImplementation((...args) => void warnings.push(args.join(" ")));
  const tools: string[][] = [];
  await insideTurnAgent({ beforeTurn: (context) => void tools.push(Object.keys(context.tools)) }, async (agent) => {
    const { callback, calls } = listener();
    await agent.chat("Hi", callback, { tools: { legacy: {} } } as object);
    await agent.chat("Hi", callback, { tools: {} } as object);
    expect(calls).toEqual(["start", "done", "start", "done"]);
  });
  expect(tools).toEqual([[], []]);
  expect(warnings).toEqual([expect.stringMatching(/chat\(\) no longer accepts options\.tools/)]);
});
