import { AgentContextProvider, AgentSearchProvider } from "agents/context";
import { expect, test } from "vitest";
import type { MemoryAgent } from "../support/memory-agent.ts";
import { memory, said } from "../support/memory.ts";

const notes = { label: "notes", description: "Facts about the user" };
const soul = { label: "soul", provider: { get: async () => "You are kind." } };

/** Run one of the model's tools, as a turn would. */
async function use(self: MemoryAgent, name: "set_context" | "search_context", input: unknown): Promise<unknown> {
  const tools = await self.blocks.tools();
  return tools[name]!.execute!(input, { toolCallId: "t", messages: [], context: {} });
}

test("S28: blocks are there after the start, and are declared in configureSession only inside it", async () => {
  let early: unknown;
  const agent = await memory({
    session: (session, self) => {
      try {
        void self.blocks;
      } catch (error) {
        early = error;
      }
      return session;
    },
  });
  await agent.in(({ session }) => {
    expect(early).toMatchObject({
      message: "Context is not initialized yet; it is available after onStart().",
    });
    expect(() => session.withContext("late")).toThrow(
      "withContext() is only available inside configureSession(). After startup, add a block with this.context.addBlock().",
    );
    expect(() => session.withCachedPrompt()).toThrow("only available inside configureSession()");
  });
});

test("T42, T48, T49: blocks of an async configureSession and of configureContext exist with their content", async () => {
  const agent = await memory({
    session: async (session) => {
      await scheduler.wait(1);
      return session.withContext("soul", soul).withContext("notes", { maxTokens: 10 });
    },
    blocks: async () => [{ label: "rules", provider: { get: async () => "Be brief." } }],
  });
  await agent.in((self) => {
    expect(self.blocks.getBlocks().map(({ label, content, writable }) => [label, content, writable])).toEqual([
      ["soul", "You are kind.", false],
      ["notes", "", true],
      ["rules", "Be brief.", false],
    ]);
  });
});

test("S29, T46: blocks are rendered in order with their header; an empty one only when it can be written", async () => {
  const empty = { label: "empty", provider: { get: async () => null } };
  const agent = await memory({ blocks: () => [soul, empty, { ...notes, maxTokens: 100 }] });
  const rule = "═".repeat(46);
  expect(await agent.in((self) => self.basePrompt())).toBe(
    `${rule}\nSOUL [readonly]\n${rule}\nYou are kind.\n\n` +
      `${rule}\nNOTES (Facts about the user) [0% — 0/100 tokens] [writable]\n${rule}\n`,
  );
});

test("L3, T45: an overridden prompt comes before the blocks; else the blocks alone; else the built-in text", async () => {
  const both = await memory({ systemPrompt: "Answer in rhymes.", blocks: () => [soul] });
  expect(await both.in((self) => self.basePrompt())).toMatch(/^Answer in rhymes\.\n\n═+\nSOUL/);
  const prompt = await memory({ systemPrompt: "Answer in rhymes." });
  expect(await prompt.in((self) => self.basePrompt())).toBe("Answer in rhymes.");
  const blocks = await memory({ blocks: () => [soul] });
  expect(await blocks.in((self) => self.basePrompt())).toMatch(/^═+\nSOUL/);
  const neither = await memory();
  expect(await neither.in((self) => self.basePrompt())).toMatch(/^You are a helpful assistant\./);
});

test("L3, T50: turns get the blocks as their instructions, and the tools for them", async () => {
  const agent = await memory({ systemPrompt: "Answer in rhymes.", blocks: () => [soul, notes] });
  await agent.ask("one");
  await agent.ask("two");
  for (const { prompt } of agent.calls()) {
    expect(prompt[0]).toMatchObject({ role: "system" });
    expect(JSON.stringify(prompt[0])).toMatch(/Answer in rhymes.*SOUL.*NOTES/);
  }
});

test("S30, T43, T44: the prompt is frozen over turns and restarts; a written block is stored and seen at a refresh", async () => {
  const agent = await memory({ blocks: () => [notes] });
  const first = await agent.in((self) => self.basePrompt());
  await agent.in(async (self) => {
    expect(await use(self, "set_context", { label: "notes", content: "likes tea" })).toMatch(/^Written to notes\./);
    expect(await self.basePrompt()).toBe(first);
  });
  await agent.ask("hello");
  await agent.restart();
  await agent.in(async (self) => {
    expect(await self.basePrompt()).toBe(first);
    expect(self.blocks.getBlock("notes")?.content).toBe("likes tea");
    await self.blocks.refreshSystemPrompt();
    expect(await self.basePrompt()).toContain("likes tea");
  });
});

test("S31, S32: set_context replaces and appends, and gives its failures back as text", async () => {
  const agent = await memory({ blocks: () => [{ ...notes, maxTokens: 10 }] });
  await agent.in(async (self) => {
    expect(Object.keys(await self.blocks.tools())).toEqual(["set_context"]);
    expect(await use(self, "set_context", { label: "notes", content: "tea" })).toMatch(
      /^Written to notes\. Usage: \d+% \(\d+\/10 tokens\)$/,
    );
    await use(self, "set_context", { label: "notes", content: "milk", action: "append" });
    expect(self.blocks.getBlock("notes")?.content).toBe("tea\nmilk");
    expect(await use(self, "set_context", { label: "other", content: "x" })).toBe('Error: block "other" not found');
    expect(await use(self, "set_context", { label: "notes", content: "word ".repeat(50) })).toMatch(
      /^Error: Block "notes" exceeds maxTokens: \d+ > 10$/,
    );
  });
});

test("S31, S33, S35: search_context is there for a searchable block, and finds what was indexed", async () => {
  const agent = await memory({
    session: (session, self) => session.withContext("library", { provider: new AgentSearchProvider(self) }),
  });
  await agent.in(async (self) => {
    expect(Object.keys(await self.blocks.tools()).toSorted()).toEqual(["search_context", "set_context"]);
    const entry = { label: "library", content: "the whale is white", metadata: { title: "Moby Dick" } };
    expect(await use(self, "set_context", entry)).toBe('Indexed "moby-dick" in library.');
    expect(await use(self, "search_context", { label: "library", query: "whale" })).toBe(
      "[moby-dick]\nthe whale is white",
    );
    expect(await use(self, "search_context", { label: "library", query: "shark" })).toBe("No results found.");
    expect(await use(self, "search_context", { label: "notes", query: "x" })).toBe(
      'Error: "notes" is not searchable. Searchable blocks: library',
    );
    expect(self.blocks.getBlock("library")?.content).toBe("1 entries indexed.");
  });
});

test("S31: without writable or searchable blocks there are no tools, and without blocks nothing is stored", async () => {
  const readonly = await memory({ blocks: () => [soul] });
  expect(await readonly.in((self) => self.blocks.tools())).toEqual({});
  const bare = await memory();
  await bare.ask("hello");
  await bare.in((_, { storage }) => {
    const table = "SELECT name FROM sqlite_master WHERE name = 'cf_agents_context_blocks'";
    expect(storage.sql.exec(table).toArray()).toEqual([]);
  });
});

test("S34, S36: the deprecated members of the session are those of the context, with its errors", async () => {
  const agent = await memory({ blocks: () => [soul] });
  await agent.in(async ({ session, blocks }) => {
    await session.addContext("memo", { description: "A memo" });
    await expect(session.addContext("memo")).rejects.toThrow('Block "memo" already exists');
    await session.replaceContextBlock("memo", "one");
    await session.appendContextBlock("memo", "two");
    expect(session.getContextBlock("memo")).toMatchObject({ content: "one\ntwo", description: "A memo" });
    await expect(session.appendContextBlock("nobody", "x")).rejects.toThrow('Block "nobody" not found');
    await expect(session.replaceContextBlock("soul", "x")).rejects.toThrow('Block "soul" is readonly');
    expect(session.getContextBlocks()).toHaveLength(2);
    expect(await session.freezeSystemPrompt()).toBe(await blocks.freezeSystemPrompt());
    expect([session.removeContext("memo"), session.removeContext("memo")]).toEqual([true, false]);
    expect(await session.refreshSystemPrompt()).not.toContain("MEMO");
    expect(await session.tools()).toEqual({});
  });
});

test("S30: a prompt store of one's own keeps the frozen prompt", async () => {
  const agent = await memory({
    blocks: () => [soul],
    session: (session, self) => session.withCachedPrompt(new AgentContextProvider(self, "mine")),
  });
  await agent.ask("hello");
  await agent.in(async (self) => {
    expect(await new AgentContextProvider(self, "mine").get()).toContain("You are kind.");
    expect(await new AgentContextProvider(self, "_system_prompt").get()).toBeNull();
  });
});

test("S37: a block that reminds tells of its change at the end of the last user message, never stored", async () => {
  let today = "Monday";
  const agent = await memory({
    blocks: () => [{ label: "day", provider: { get: async () => today }, whenChanged: "remind" }],
  });
  await agent.ask("one");
  expect(JSON.stringify(agent.calls()[0]?.prompt.at(-1))).not.toContain("Monday");
  today = "Tuesday";
  await agent.ask("two", "u2");
  const [system, ...rest] = agent.calls()[1]!.prompt;
  expect(JSON.stringify(system)).toContain("Monday");
  expect(JSON.stringify(rest.at(-1))).toContain("Tuesday");
  expect(await agent.in(({ session }) => session.getMessage("u2"))).toMatchObject(said("user", "two", "u2"));
});

test("W22, S37: a provider that fails costs its block and nothing else, and is on record", async () => {
  let broken = true;
  const flaky = {
    get: async () => {
      if (broken) throw new Error("the weather service is down");
      return "It is sunny.";
    },
  };
  const agent = await memory({ blocks: () => [soul, { label: "weather", provider: flaky }] });
  await agent.ask("one");
  expect(JSON.stringify(agent.calls()[0]?.prompt[0])).toMatch(/SOUL/);
  await agent.in((self) => {
    expect(self.getOnStartDegradations()).toMatchObject([
      { step: "context-blocks", error: { message: "the weather service is down" } },
    ]);
  });

  // A prompt without the block is not frozen: when its provider is back, so is the block.
  broken = false;
  await agent.ask("two");
  expect(JSON.stringify(agent.calls()[1]?.prompt[0])).toMatch(/SOUL.*It is sunny/);
  await agent.in((self) => expect(self.getOnStartDegradations()).toEqual([]));

  broken = true;
  await agent.restart();
  await agent.ask("three");
  expect(JSON.stringify(agent.calls()[2]?.prompt[0])).toMatch(/It is sunny/);
});

test("W22: a block that is added at run time cannot fail a turn either, nor can a prompt store", async () => {
  const fails = { get: () => Promise.reject(new Error("down")), set: () => Promise.reject(new Error("full")) };
  const agent = await memory({ blocks: () => [soul], session: (session) => session.withCachedPrompt(fails) });
  await agent.in(async (self) => {
    await self.blocks.addBlock({ label: "remote", provider: fails });
    expect(await self.blocks.refreshSystemPrompt()).toMatch(/SOUL/);
    expect(await self.basePrompt()).toMatch(/SOUL/);
  });
  await agent.ask("hello");
  expect(agent.calls()).toHaveLength(1);
});

test("W22: a provider that never answers holds up a start for five seconds and no longer", async () => {
  const silent = { get: () => new Promise<string>(() => {}) };
  const agent = await memory({ blocks: () => [soul, { label: "remote", provider: silent }] });
  await agent.in((self) => {
    expect(self.blocks.getBlock("soul")?.content).toBe("You are kind.");
    expect(self.getOnStartDegradations()).toMatchObject([
      { error: { message: "The provider gave no content within 5000 ms" } },
    ]);
  });
});

test("S32: what could not be written is not what the block says afterwards", async () => {
  const full = { get: async () => "kept", set: () => Promise.reject(new Error("disk full")) };
  const agent = await memory({ blocks: () => [{ label: "memo", provider: full }] });
  await agent.in(async (self) => {
    expect(await use(self, "set_context", { label: "memo", content: "new" })).toBe("Error: disk full");
    expect(self.blocks.getBlock("memo")?.content).toBe("kept");
  });
});

test("two blocks of one label: the first stays, and the second is on record", async () => {
  const agent = await memory({ blocks: () => [soul, { ...soul, provider: { get: async () => "other" } }] });
  await agent.in((self) => {
    expect(self.blocks.getBlocks()).toMatchObject([{ label: "soul", content: "You are kind." }]);
    expect(self.getOnStartDegradations()).toMatchObject([{ error: { message: 'Block "soul" already exists' } }]);
  });
});

test("configureSession must return its session", async () => {
  await expect(memory({ session: () => undefined as never })).rejects.toThrow(
    "configureSession() must return the session it was given",
  );
});
