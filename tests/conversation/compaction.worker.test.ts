import type { CompactionFunction } from "agents/sessions";
import { createCompactFunction } from "agents/sessions";
import { expect, test } from "vitest";
import type { ThinkSession } from "../../src/index.ts";
import { ids, memory, type Memory, said } from "../support/memory.ts";

const kinds = (messages: readonly { id: string }[]) =>
  ids(messages).map((id) => id.replace(/^compaction_.*/, "summary"));

/** Summarises everything but the newest message. */
const allButLast: CompactionFunction = async (messages) => ({
  fromMessageId: messages[0]!.id,
  toMessageId: messages.at(-2)!.id,
  summary: "short",
});

const compacting = (fn: CompactionFunction) => ({ session: (session: ThinkSession) => session.onCompaction(fn) });

async function fill(agent: Memory, count: number): Promise<void> {
  await agent.in(async ({ session }) => {
    for (let n = 1; n <= count; n++) {
      await session.appendMessage(said(n % 2 ? "user" : "assistant", `message ${n} ${"word ".repeat(20)}`, `m${n}`));
    }
  });
}

test("S17: a summary stands for the messages it covers, which stay as they are", async () => {
  const agent = await memory(compacting(allButLast));
  await fill(agent, 4);
  await agent.in(async (self) => {
    expect(await self.session.compact()).toMatchObject({ fromMessageId: "m1", toMessageId: "m3", summary: "short" });
    expect(kinds(self.messages)).toEqual(["summary", "m4"]);
    expect(self.messages[0]).toMatchObject({ role: "assistant", parts: [{ type: "text", text: "short" }] });
    expect(await self.session.getMessage("m2")).toMatchObject({ id: "m2" });
  });
  await agent.restart();
  expect(kinds(await agent.in((self) => self.messages))).toEqual(["summary", "m4"]);
});

test("S18: without a function there is nothing to call; one that fails is told and skips the compaction", async () => {
  const bare = await memory();
  await bare.in(async ({ session }) => {
    await expect(session.compact()).rejects.toThrow("No compaction function registered. Call onCompaction() first.");
  });
  const heard: unknown[] = [];
  const agent = await memory({
    session: (session) =>
      session
        .onCompaction(() => Promise.reject(new Error("no model")))
        .onCompactionError((error) => {
          heard.push(error);
          throw new Error("and the handler too");
        }),
  });
  await fill(agent, 3);
  expect(await agent.in(({ session }) => session.compact())).toBeNull();
  expect(heard).toMatchObject([{ message: "no model" }]);
});

test.each([
  ["nothing", null],
  ["an unknown end", { fromMessageId: "m1", toMessageId: "nobody", summary: "s" }],
  ["an unknown begin", { fromMessageId: "nobody", toMessageId: "m2", summary: "s" }],
  ["a range that runs backwards", { fromMessageId: "m3", toMessageId: "m1", summary: "s" }],
])("S18: a function that names %s stores nothing", async (_, result) => {
  const agent = await memory(compacting(async () => result));
  await fill(agent, 3);
  await agent.in(async ({ session }) => {
    expect(await session.compact()).toBeNull();
    expect(await session.getCompactions()).toEqual([]);
  });
});

test("S19, S60, T36: an append above the threshold compacts, and the summary is in this.messages at once", async () => {
  const agent = await memory({ session: (session) => session.onCompaction(allButLast).compactAfter(100) });
  await fill(agent, 6);
  expect(kinds(await agent.in((self) => self.messages))).toEqual(["summary", "m6"]);
});

test("S21: the function of agents/sessions keeps a head and a tail", async () => {
  const summarize = async () => "in short";
  const agent = await memory(compacting(createCompactFunction({ summarize, keepRecentTokens: 10 })));
  await fill(agent, 12);
  await agent.in(async (self) => {
    await self.session.compact();
    expect(kinds(self.messages)).toEqual(["m1", "m2", "m3", "summary", "m11", "m12"]);
  });
});

test("FR-68: what a client echoes of a summary is not stored, and a second compaction gives one summary", async () => {
  const agent = await memory(compacting(allButLast));
  await fill(agent, 4);
  await agent.in(async (self, { storage }) => {
    await self.session.compact();
    for (const echo of self.messages) {
      await self.session.appendMessage(echo);
      await self.session.upsertMessage(echo, { source: "client" });
      await self.addMessages([echo], { mode: "upsert" });
      await self.session.updateMessage(echo);
    }
    await self.session.appendMessage(said("user", "more", "m5"));
    await self.session.compact();
    expect(kinds(self.messages)).toEqual(["summary", "m5"]);
    const stored = storage.sql.exec("SELECT id FROM cf_agents_session_messages ORDER BY seq").toArray();
    expect(stored.map(({ id }) => id)).toEqual(["m1", "m2", "m3", "m4", "m5"]);
  });
});

test("FR-68: a range that ends in a summary would never be found again, and is not stored", async () => {
  const everything: CompactionFunction = async (messages) => ({
    fromMessageId: messages[0]!.id,
    toMessageId: messages.at(-1)!.id,
    summary: "all",
  });
  const agent = await memory(compacting(everything));
  await fill(agent, 3);
  await agent.in(async (self) => {
    await self.session.compact();
    expect(kinds(self.messages)).toEqual(["summary"]);
    expect(await self.session.compact()).toBeNull();
    expect(kinds(self.messages)).toEqual(["summary"]);
  });
});

test("FR-68: a turn after everything was summarised goes on below the stored end, and has the summary once", async () => {
  const agent = await memory();
  await fill(agent, 3);
  await agent.in(({ session }) => session.addCompaction("all of it", "m1", "m3"));
  await agent.ask("and now?", "u");
  await agent.in(async (self) => {
    expect(kinds(self.messages).slice(0, 2)).toEqual(["summary", "u"]);
    expect(ids(await self.session.getBranches("m3"))).toEqual(["u"]);
    expect(ids(await self.session.getHistoryRowStats())).toEqual(["m1", "m2", "m3", "u", self.messages.at(-1)!.id]);
  });
  expect(JSON.stringify(agent.calls().at(-1)?.prompt).split("all of it")).toHaveLength(2);
});

test("FR-69: a branch is compacted by itself", async () => {
  const agent = await memory(compacting(allButLast));
  await fill(agent, 4);
  await agent.in(async (self) => {
    await self.session.appendMessage(said("assistant", "again", "b2"), "m1");
    await self.session.appendMessage(said("user", "then", "b3"));
    await self.session.compact();
    expect(kinds(self.messages)).toEqual(["summary", "b3"]);
    expect(ids(await self.session.getHistory("m4"))).toEqual(["m1", "m2", "m3", "m4"]);
  });
});

test("S22: a compaction and a clear render the prompt anew", async () => {
  let mood = "sunny";
  const agent = await memory({
    ...compacting(allButLast),
    blocks: () => [{ label: "mood", provider: { get: async () => mood } }],
  });
  await fill(agent, 3);
  await agent.in(async (self) => {
    expect(await self.basePrompt()).toContain("sunny");
    mood = "rainy";
    expect(await self.basePrompt()).toContain("sunny");
    await self.session.compact();
    expect(await self.basePrompt()).toContain("rainy");
    mood = "windy";
    await self.session.clearMessages();
    expect(await self.basePrompt()).toContain("windy");
  });
});
