import { tool, type UIMessage } from "ai";
import { z } from "zod";
import { expect, test } from "vitest";
import { callTool, text } from "../../src/testing/index.ts";
import type { TurnAgent } from "../support/turn-agent.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { heldTurn, inTurn, transcript } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

const note = (content: string, id: string, role: UIMessage["role"] = "user"): UIMessage => ({
  ...userMessage(content, id),
  role,
});

/** Ids of the active path as it is stored, without any view in memory. */
const storedIds = async (agent: TurnAgent): Promise<string[]> => (await agent.session.getHistory()).map(({ id }) => id);
const viewIds = async (agent: TurnAgent): Promise<string[]> => (await agent.getMessages()).map(({ id }) => id);

test("T-40, T-46, T90, T91: they are stored without a turn, whatever their role, and view and store agree", async () => {
  const responses: string[] = [];
  await insideTurnAgent({ onChatResponse: ({ status }) => void responses.push(status) }, async (agent) => {
    await agent.addMessages([note("a", "u1"), note("b", "a1", "assistant"), note("c", "s1", "system")]);
    expect(await viewIds(agent)).toEqual(["u1", "a1", "s1"]);
    expect(await storedIds(agent)).toEqual(["u1", "a1", "s1"]);
    expect((await agent.auditLog()).events).toEqual([]);
    expect(agent.model.calls).toHaveLength(0);
  });
  expect(responses).toEqual([]);
});

test("T-40: they do not wait for the turn that runs", async () => {
  const first = heldTurn();
  await insideTurnAgent(first, async (agent) => {
    const running = agent.saveMessages([userMessage("Hi")]);
    await first.reached;
    await agent.addMessages([note("meanwhile", "u2")]);
    expect(await transcript(agent)).toEqual(["user: Hi", "user: meanwhile"]);
    first.open();
    expect(await running).toMatchObject({ status: "completed" });
    expect(await transcript(agent)).toEqual(["user: Hi", "user: meanwhile", "assistant: half whole"]);
    expect(await storedIds(agent)).toEqual(await viewIds(agent));
  });
});

test("T-41, T96: nothing given, or nothing returned, does nothing", async () => {
  await insideTurnAgent({}, async (agent) => {
    await agent.addMessages([]);
    await agent.addMessages(async () => []);
    expect(await agent.getMessages()).toEqual([]);
  });
});

test("T-42: the parent is the newest message, a root for null, and the one that is named", async () => {
  await insideTurnAgent({}, async (agent) => {
    await agent.addMessages([note("a", "m1")]);
    await agent.addMessages([note("b", "m2")]);
    expect(await viewIds(agent)).toEqual(["m1", "m2"]);
    await agent.addMessages([note("c", "m3")], { parentId: null });
    expect(await viewIds(agent)).toEqual(["m3"]);
    await agent.addMessages([note("d", "m4")], { parentId: "m1" });
    expect(await viewIds(agent)).toEqual(["m1", "m4"]);
  });
});

test("T-42, T95: an unknown parent is refused by its id, before anything is stored", async () => {
  await insideTurnAgent({}, async (agent) => {
    await agent.addMessages([note("a", "m1")]);
    await expect(agent.addMessages([note("b", "m2")], { parentId: "nope" })).rejects.toThrow(
      'addMessages: parentId "nope" does not exist in this session',
    );
    expect(await storedIds(agent)).toEqual(["m1"]);
  });
});

test("T-43, T92, T94: an array is one chain; a known message keeps its content and place and is the next one's parent", async () => {
  await insideTurnAgent({}, async (agent) => {
    await agent.addMessages([note("a", "m1"), note("b", "m2"), note("c", "m3")]);
    await agent.addMessages([note("changed", "m2"), note("d", "m4")]);
    expect(await transcript(agent)).toEqual(["user: a", "user: b", "user: d"]);
    expect(await viewIds(agent)).toEqual(["m1", "m2", "m4"]);
    expect(await storedIds(agent)).toEqual(["m1", "m2", "m4"]);
  });
});

test("T-43, T93, T99: upsert changes a known message in place and never moves it", async () => {
  await insideTurnAgent({}, async (agent) => {
    await agent.addMessages([note("a", "m1"), note("b", "m2"), note("c", "m3")]);
    await agent.addMessages([note("changed", "m2")], { mode: "upsert", parentId: "m3" });
    expect(await transcript(agent)).toEqual(["user: a", "user: changed", "user: c"]);
    expect(await storedIds(agent)).toEqual(["m1", "m2", "m3"]);
  });
});

test("T-44, T98: a fork moves the conversation to the new branch, and the next turn continues it", async () => {
  await insideTurnAgent({ script: () => text("ok") }, async (agent) => {
    await agent.addMessages([note("a", "m1"), note("b", "m2", "assistant"), note("c", "m3")]);
    await agent.addMessages([note("other", "m4")], { parentId: "m2" });
    await agent.saveMessages((current) => [note(`after ${current.at(-1)?.id}`, "m5")]);
    expect(await transcript(agent)).toEqual([
      "user: a",
      "assistant: b",
      "user: other",
      "user: after m4",
      "assistant: ok",
    ]);
    expect(JSON.stringify(agent.model.calls[0]?.prompt)).not.toContain('"c"');
  });
});

test("T-44: a fork made while other turns wait is seen by the function of the next of them", async () => {
  const first = heldTurn();
  await insideTurnAgent(first, async (agent) => {
    await agent.addMessages([note("a", "m1"), note("b", "m2", "assistant")]);
    const running = agent.saveMessages([note("c", "m3")]);
    await first.reached;
    const forking = agent.saveMessages(async (current) => {
      await agent.addMessages([note("fork", "m4")], { parentId: "m2" });
      return [note(`second, after ${current.at(-1)?.role}`, "m5")];
    });
    const seen: string[][] = [];
    const last = agent.saveMessages((current) => {
      seen.push(current.slice(0, 4).map(({ id }) => id));
      return [note("third", "m6")];
    });
    first.open();
    await Promise.all([running, forking, last]);
    expect(seen).toEqual([["m1", "m2", "m4", "m5"]]);
    expect(await storedIds(agent)).toEqual(await viewIds(agent));
  });
});

test("T97: what was added is in the next turn's prompt, in its place", async () => {
  await insideTurnAgent({}, async (agent) => {
    await agent.addMessages([note("background", "m1"), note("noted", "m2", "assistant")]);
    await agent.saveMessages([note("and now?", "m3")]);
    expect(agent.model.calls[0]?.prompt.slice(1)).toMatchObject([
      { role: "user", content: [{ type: "text", text: "background" }] },
      { role: "assistant", content: [{ type: "text", text: "noted" }] },
      { role: "user", content: [{ type: "text", text: "and now?" }] },
    ]);
  });
});

test("T100, T228, T-45: added from a tool, they are stored at once, and before the answer", async () => {
  const during: string[][] = [];
  const agents: TurnAgent[] = [];
  await insideTurnAgent(
    {
      script: inTurn(callTool("remember", {}), text("noted")),
      tools: {
        remember: tool({
          inputSchema: z.object({}),
          execute: async () => {
            const [agent] = agents;
            await agent?.addMessages([note("from the tool", "m2", "assistant")]);
            during.push(agent ? await storedIds(agent) : []);
            return "ok";
          },
        }),
      },
    },
    async (agent) => {
      agents.push(agent);
      const { message } = await agent.runTurn({ input: note("remember this", "m1") });
      expect(during).toEqual([["m1", "m2"]]);
      expect(await viewIds(agent)).toEqual(["m1", "m2", message?.id]);
      expect(await storedIds(agent)).toEqual(await viewIds(agent));
    },
  );
});

test.each([
  ["no array", "text", "messages"],
  ["no message", [42], "messages[0]"],
  ["a blank id", [{ ...userMessage("a"), id: " " }], "messages[0].id"],
  ["an unknown role", [{ ...userMessage("a"), role: "tool" }], "messages[0].role"],
  ["no parts", [userMessage("a"), { id: "m2", role: "user" }], "messages[1].parts"],
])("%s is refused by the field at fault, and nothing is stored", async (_name, messages, field) => {
  await insideTurnAgent({}, async (agent) => {
    for (const input of [messages, () => messages] as UIMessage[][]) {
      const refused: unknown = await agent.addMessages(input).catch((error: unknown) => error);
      expect(refused).toMatchObject({ name: "ThinkInputError", field });
    }
    expect(await storedIds(agent)).toEqual([]);
  });
});
