import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { type Reply, text } from "../../src/testing/index.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { userMessage } from "../support/test-agent.ts";

const openai = { itemId: "msg_1", reasoningEncryptedContent: "secret", phase: "final" };

/** An answer with a thought of this text, and provider metadata as OpenAI gives it. */
const answer = (thought: string, thoughtMetadata?: object): Reply => ({
  steps: [
    {
      type: "reasoning-start",
      id: "r",
      ...(thoughtMetadata && { providerMetadata: { openai: thoughtMetadata } }),
    } as never,
    { type: "reasoning-delta", id: "r", delta: thought },
    { type: "reasoning-end", id: "r" },
    { type: "text-start", id: "1", providerMetadata: { openai, other: { kept: true } } },
    { type: "text-delta", id: "1", delta: "Yes." },
    { type: "text-end", id: "1", providerMetadata: { openai, other: { kept: true } } },
    ...text().steps,
  ],
});

const kept = (message: UIMessage | undefined) => message?.parts.filter(({ type }) => type !== "step-start");

test("T73, T74, L47: what OpenAI may not be sent again is not stored, and nobody is told otherwise", async () => {
  const heard: UIMessage[] = [];
  await insideTurnAgent(
    { script: () => answer("hmm", { itemId: "rs_1" }), onChatResponse: ({ message }) => void heard.push(message) },
    async (agent) => {
      const { message } = await agent.runTurn({ input: "Is it?" });
      expect(kept(message)).toEqual([
        { type: "reasoning", text: "hmm", state: "done" },
        {
          type: "text",
          text: "Yes.",
          state: "done",
          providerMetadata: { openai: { phase: "final" }, other: { kept: true } },
        },
      ]);
      expect(await agent.session.getMessage(message?.id ?? "")).toEqual(message);
      expect(heard).toEqual([message]);
    },
  );
});

test("T75, T76, L47: an empty thought is stored only when it has metadata of its own", async () => {
  await insideTurnAgent(
    { script: ({ index }) => answer("", index === 0 ? { itemId: "rs_1" } : { summary: "s" }) },
    async (agent) => {
      const without = await agent.runTurn({ input: "Is it?" });
      expect(kept(without.message)?.map(({ type }) => type)).toEqual(["text"]);
      const withOne = await agent.runTurn({ input: "Is it?" });
      expect(kept(withOne.message)?.map(({ type }) => type)).toEqual(["reasoning", "text"]);
    },
  );
});

test("T77, L47: a message without any of it is stored as it is, added or brought by a turn", async () => {
  await insideTurnAgent({}, async (agent) => {
    const clean: UIMessage = {
      ...userMessage("Hi", "u1"),
      metadata: { any: "thing" },
      parts: [{ type: "text", text: "Hi", providerMetadata: { other: { itemId: "not OpenAI's" } } }],
    };
    await agent.addMessages([clean]);
    await agent.saveMessages([{ ...clean, id: "u2" }]);
    expect((await agent.getMessages()).slice(0, 2)).toEqual([clean, { ...clean, id: "u2" }]);
  });
});

test("L47: messages that are added, or brought by a turn, are cleaned too", async () => {
  await insideTurnAgent({}, async (agent) => {
    const dirty = (id: string): UIMessage => ({
      ...userMessage("Hi", id),
      parts: [{ type: "text", text: "Hi", providerMetadata: { openai: { itemId: "msg_1" } } }],
    });
    await agent.addMessages([dirty("u1")]);
    await agent.saveMessages([dirty("u2")]);
    await agent.saveMessages(() => [dirty("u3")]);
    const parts = (await agent.getMessages()).filter(({ role }) => role === "user").flatMap((message) => message.parts);
    expect(parts).toEqual([0, 1, 2].map(() => ({ type: "text", text: "Hi" })));
  });
});
