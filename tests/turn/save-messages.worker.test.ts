import { expect, test } from "vitest";
import { Think } from "../../src/index.ts";
import { empty, streamError, text } from "../../src/testing/index.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { eventsOf, heldTurn, inTurn, transcript } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

const fail = (): never => {
  throw new Error("no luck today");
};

test("T-19: messages enter the conversation only when their turn begins", async () => {
  const first = heldTurn();
  await insideTurnAgent(first, async (agent) => {
    const running = agent.saveMessages([userMessage("first")]);
    await first.reached;
    const waiting = agent.saveMessages([userMessage("second")]);
    expect(await transcript(agent)).toEqual(["user: first"]);
    first.open();
    await Promise.all([running, waiting]);
    expect(await transcript(agent)).toEqual([
      "user: first",
      "assistant: half whole",
      "user: second",
      "assistant: next",
    ]);
  });
});

test("T-20, T86: of what a function returns, only what is new is added", async () => {
  await insideTurnAgent({}, async (agent) => {
    await agent.saveMessages([userMessage("first")]);
    const result = await agent.saveMessages((current) => [...current, userMessage("second")]);
    expect(result).toEqual({ requestId: result.requestId, status: "completed" });
    expect(await transcript(agent)).toEqual([
      "user: first",
      "assistant: Hello there",
      "user: second",
      "assistant: Hello there",
    ]);
    expect(await eventsOf(agent, result.requestId)).toContain("MessagesApplied");
  });
});

test("T-20: the conversation given to a function is its own: what it does to the array changes nothing", async () => {
  await insideTurnAgent({}, async (agent) => {
    await agent.saveMessages([userMessage("first")]);
    await agent.saveMessages((current) => {
      current.length = 0;
      return [userMessage("second")];
    });
    expect(await transcript(agent)).toHaveLength(4);
  });
});

test("T-21, T136: no messages, given or returned, have the history answered again", async () => {
  await insideTurnAgent({ script: ({ index }) => text(`answer ${index}`) }, async (agent) => {
    await agent.saveMessages([userMessage("Hi")]);
    expect(await agent.saveMessages([])).toMatchObject({ status: "completed" });
    expect(await agent.saveMessages(async () => [])).toMatchObject({ status: "completed" });
    expect(await transcript(agent)).toEqual([
      "user: Hi",
      "assistant: answer 0",
      "assistant: answer 1",
      "assistant: answer 2",
    ]);
  });
});

test("T-21: with no history at all there is nothing to ask the model, and the caller is told", async () => {
  await insideTurnAgent({}, async (agent) => {
    await expect(agent.saveMessages([])).rejects.toThrow("No messages to send to the model");
    expect(agent.model.calls).toHaveLength(0);
  });
});

test("T-22: messages are stored in order, before the model is asked, and the answer after it", async () => {
  await insideTurnAgent({}, async (agent) => {
    const seen: string[][] = [];
    Object.assign(agent, { beforeTurn: async () => void seen.push(await transcript(agent)) });
    const { requestId } = await agent.saveMessages([userMessage("one"), userMessage("two"), userMessage("three")]);
    expect(seen).toEqual([["user: one", "user: two", "user: three"]]);
    expect(await eventsOf(agent, requestId)).toEqual([
      "TurnSubmitted",
      "TurnClaimed",
      "MessagesApplied",
      "StepFinished",
      "TurnCompleted",
    ]);
  });
});

test("T-23, T88: an error in the stream is the status, with the provider's text, and the part is kept", async () => {
  await insideTurnAgent(
    { script: inTurn(streamError("provider is down", "some ", "words"), text("ok")) },
    async (agent) => {
      const failed = await agent.saveMessages([userMessage("Hi")]);
      expect(failed).toEqual({ requestId: failed.requestId, status: "error", error: "provider is down" });
      expect(await transcript(agent)).toEqual(["user: Hi", "assistant: some words"]);
      expect(await eventsOf(agent, failed.requestId)).toContain("TurnFailed");
      expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
    },
  );
});

test("T-23: a result without an error has no error key, and saveMessages never has an output", async () => {
  await insideTurnAgent({}, async (agent) => {
    expect(Object.keys(await agent.saveMessages([userMessage("Hi")]))).toEqual(["requestId", "status"]);
  });
});

test.each(["getModel", "beforeTurn", "getSystemPrompt", "getTools"])(
  "T-24, T183: what %s throws rejects, is on record, and the next turn runs",
  async (member) => {
    await insideTurnAgent({}, async (agent) => {
      Object.assign(agent, { [member]: fail });
      await expect(agent.saveMessages([userMessage("Hi")])).rejects.toThrow("no luck today");
      expect((await agent.auditLog({ types: ["TurnFailed"] })).events).toMatchObject([
        { data: { error: "no luck today" } },
      ]);
      delete (agent as unknown as Record<string, unknown>)[member];
      expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
    });
  },
);

test("T-24: what the input function throws rejects, is on record, and the next turn runs", async () => {
  await insideTurnAgent({}, async (agent) => {
    await expect(agent.saveMessages(fail)).rejects.toThrow("no luck today");
    await expect(agent.saveMessages(async () => fail())).rejects.toThrow("no luck today");
    const { events } = await agent.auditLog({ types: ["TurnFailed"] });
    expect(events.map(({ data }) => (data as { error: string }).error)).toEqual(["no luck today", "no luck today"]);
    expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
  });
});

test("T183: an agent that does not say which model answers is told how to", async () => {
  await insideTurnAgent({}, async (agent) => {
    Object.assign(agent, { getModel: () => Think.prototype.getModel.call(agent) });
    await expect(agent.saveMessages([userMessage("Hi")])).rejects.toThrow(
      'Override getModel() to return a model id string (e.g. "@cf/moonshotai/kimi-k2.7-code" or "openai/gpt-5.5") or a LanguageModel.',
    );
  });
});

test("T-24, decision 15: it rejects with what onChatError made of the error", async () => {
  await insideTurnAgent(
    {
      beforeTurn: () => {
        throw new Error("secret detail");
      },
      onChatError: () => new TypeError("Something went wrong."),
    },
    async (agent) => {
      const rejected: unknown = await agent.saveMessages([userMessage("Hi")]).catch((error: unknown) => error);
      expect(rejected).toEqual(new TypeError("Something went wrong."));
      const { events } = await agent.auditLog({ types: ["TurnFailed"] });
      expect(events).toMatchObject([{ data: { error: "Something went wrong." } }]);
    },
  );
});

test("a programmatic turn is of the channel that its newest user message names", async () => {
  await insideTurnAgent({}, async (agent) => {
    const channels: unknown[] = [];
    Object.assign(agent, { beforeTurn: () => void channels.push(agent.activeTurn?.channel) });
    await agent.saveMessages([
      { ...userMessage("one"), metadata: { channel: "mail" } },
      { ...userMessage("two"), metadata: { channel: "voice" } },
    ]);
    await agent.saveMessages(() => [{ ...userMessage("three"), metadata: { channel: "mail" } }]);
    expect(channels).toEqual(["voice", undefined]);
  });
});

test("T60: an empty stream completes and stores no message", async () => {
  await insideTurnAgent({ script: () => empty() }, async (agent) => {
    expect(await agent.saveMessages([userMessage("Hi")])).toMatchObject({ status: "completed" });
    expect(await transcript(agent)).toEqual(["user: Hi"]);
  });
});
