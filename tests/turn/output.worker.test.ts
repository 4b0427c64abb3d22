import { Output, type TextStreamPart, type ToolSet } from "ai";
import { z } from "zod";
import { expect, test } from "vitest";
import { type Reply, text } from "../../src/testing/index.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { inTurn, listener, textOf } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

const weather = () => ({ output: Output.object({ schema: z.object({ city: z.string(), degrees: z.number() }) }) });

test("T-13, T263: a structured answer is the result's output, parsed; the message is stored as it was said", async () => {
  await insideTurnAgent(
    { script: () => text('{"city":"Oslo",', '"degrees":-4}'), beforeTurn: weather },
    async (agent) => {
      const result = await agent.runTurn({ input: "Weather?" });
      expect(result).toMatchObject({ status: "completed", output: { city: "Oslo", degrees: -4 } });
      expect(textOf(result.message)).toBe('{"city":"Oslo","degrees":-4}');
      expect(agent.model.doStreamCalls[0]?.responseFormat).toMatchObject({ type: "json" });
      expect(await agent.runTurn({ continuation: true })).toMatchObject({ output: { city: "Oslo", degrees: -4 } });
    },
  );
});

test("T-13: without an output specification the result has none, and saveMessages never has one", async () => {
  let structured = false;
  await insideTurnAgent(
    { script: () => text('{"city":"Oslo","degrees":-4}'), beforeTurn: () => (structured ? weather() : undefined) },
    async (agent) => {
      expect(await agent.runTurn({ input: "Weather?" })).not.toHaveProperty("output");
      structured = true;
      expect(await agent.saveMessages([userMessage("Weather?")])).not.toHaveProperty("output");
    },
  );
});

test.each([
  ["is no JSON", "It is cold."],
  ["does not fit the schema", '{"city":"Oslo"}'],
  ["is empty", ""],
])("T-13: an answer that %s ends the turn as an error, on record, with the parser's words", async (_name, said) => {
  await insideTurnAgent({ script: inTurn(said ? text(said) : text()), beforeTurn: weather }, async (agent) => {
    const result = await agent.runTurn({ input: "Weather?" });
    expect(result.status).toBe("error");
    expect(result.error).toMatch(/\S/);
    expect(result).not.toHaveProperty("output");
    const { events } = await agent.auditLog({ types: ["TurnFailed"] });
    expect(events).toMatchObject([{ data: { error: result.error } }]);
    expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "error" });
  });
});

test("an answer that is the JSON value false or null is an output too", async () => {
  const schema = z.union([z.boolean(), z.null()]);
  await insideTurnAgent(
    {
      script: inTurn(text('{"it":false}'), text('{"it":null}')),
      beforeTurn: () => ({ output: Output.object({ schema: z.object({ it: schema }) }) }),
    },
    async (agent) => {
      expect(await agent.runTurn({ input: "?" })).toMatchObject({ output: { it: false } });
      expect(await agent.runTurn({ input: "?" })).toMatchObject({ output: { it: null } });
    },
  );
});

const thinking: Reply = {
  steps: [
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", delta: "hmm" },
    { type: "reasoning-end", id: "r" },
    ...text("Yes.").steps,
  ],
};

test.each([
  ["T266: by default it is streamed and stored", {}, undefined, true],
  ["T267: the agent may keep it back", { sendReasoning: false }, undefined, false],
  ["T268: a turn may keep it back", {}, { sendReasoning: false }, false],
  ["T269: a turn may have it where the agent keeps it back", { sendReasoning: false }, { sendReasoning: true }, true],
])("reasoning, %s", async (_name, members, config, sent) => {
  await insideTurnAgent(
    { script: () => thinking, beforeTurn: () => config, configure: (agent) => Object.assign(agent, members) },
    async (agent) => {
      const { callback, chunks } = listener();
      await agent.chat("Is it?", callback);
      expect(chunks.some(({ type }) => type.startsWith("reasoning"))).toBe(sent);
      const message = (await agent.getMessages()).at(-1);
      expect(message?.parts.some(({ type }) => type === "reasoning")).toBe(sent);
      expect(textOf(message)).toBe("Yes.");
    },
  );
});

type Part = { part: TextStreamPart<ToolSet>; continuation: boolean };

test("messageMetadata: what it returns for a part is merged into the stored message, and streamed", async () => {
  const metadata = ({ part, continuation }: Part) => {
    if (part.type === "start") return { startedBy: "test", continuation };
    if (part.type === "text-start") return { began: true };
    return part.type === "finish" ? { tokens: part.totalUsage.totalTokens } : undefined;
  };
  await insideTurnAgent(
    { configure: (agent) => Object.assign(agent, { messageMetadata: metadata }) },
    async (agent) => {
      const { callback, chunks } = listener();
      await agent.chat("Hi", callback);
      const stored = { startedBy: "test", continuation: false, began: true, tokens: 15 };
      expect((await agent.getMessages()).at(-1)?.metadata).toEqual(stored);
      expect(Object.assign({}, ...chunks.map((chunk) => chunk["messageMetadata"]))).toEqual(stored);
      const { message } = await agent.runTurn({ continuation: true });
      expect(message?.metadata).toEqual({ ...stored, continuation: true });
    },
  );
});

test("messageMetadata of a turn replaces the agent's for that turn", async () => {
  const configs = [{ messageMetadata: () => ({ from: "turn" }) }, undefined];
  await insideTurnAgent(
    {
      configure: (agent) => Object.assign(agent, { messageMetadata: () => ({ from: "agent" }) }),
      beforeTurn: () => configs.shift(),
    },
    async (agent) => {
      expect((await agent.runTurn({ input: "one" })).message?.metadata).toEqual({ from: "turn" });
      expect((await agent.runTurn({ input: "two" })).message?.metadata).toEqual({ from: "agent" });
    },
  );
});

test("a messageMetadata that throws ends the turn as an error, with what came until then", async () => {
  await insideTurnAgent(
    {
      configure: (agent) =>
        Object.assign(agent, {
          messageMetadata: ({ part }: Part) => {
            if (part.type === "text-end") throw new Error("no metadata today");
          },
        }),
    },
    async (agent) => {
      expect(await agent.saveMessages([userMessage("Hi")])).toMatchObject({
        status: "error",
        error: "no metadata today",
      });
      expect(textOf((await agent.getMessages()).at(-1))).toBe("Hello there");
    },
  );
});
