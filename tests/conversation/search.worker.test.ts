import { expect, test } from "vitest";
import { memory, said } from "../support/memory.ts";

test("S15: a session is searched for the words as one phrase, best first", async () => {
  const agent = await memory();
  await agent.in(async ({ session }) => {
    await session.appendMessage(said("user", "the deployment failed again", "m1"));
    await session.appendMessage(said("assistant", "failed is the deployment", "m2"));
    expect(await session.search("deployment failed")).toMatchObject([
      { id: "m1", role: "user", content: "the deployment failed again" },
    ]);
    expect(await session.search("deployment", { limit: 1 })).toHaveLength(1);
  });
});

test("S15: what is stored after the index was made is found, what was changed or deleted is not", async () => {
  const agent = await memory();
  await agent.in(async ({ session }) => {
    expect(await session.search("apple")).toEqual([]);
    await session.appendMessage(said("user", "an apple", "m1"));
    expect(await session.search("apple")).toHaveLength(1);
    await session.updateMessage(said("user", "a pear", "m1"));
    expect(await session.search("apple")).toEqual([]);
    await session.deleteMessages(["m1"]);
    expect(await session.search("pear")).toEqual([]);
  });
});

test("searchConversations finds messages of every session of the object, and says of which", async () => {
  const agent = await memory();
  await agent.in(async (self) => {
    await self.session.appendMessage(said("user", "who has seen the cat?", "m1"));
    await self.sessions.session("support").appendMessage(said("user", "my cat is ill", "m1"));
    const found = await self.searchConversations("cat");
    expect(found.map(({ sessionId, id }) => `${sessionId}/${id}`).toSorted()).toEqual(["/m1", "support/m1"]);
    expect(new Date(found[0]!.createdAt!).getTime()).toBeGreaterThan(0);
    expect(await self.searchConversations("cat", { limit: 1 })).toHaveLength(1);
    expect(await self.searchConversations("dog")).toEqual([]);
  });
});

test("searchConversations shows the passage around the match, not a whole book", async () => {
  const agent = await memory();
  await agent.in(async (self) => {
    const book = `${"before ".repeat(20_000)} needle ${"after ".repeat(20_000)}`;
    await self.session.appendMessage(said("user", book));
    const [{ content } = { content: "" }] = await self.searchConversations("needle");
    expect(content).toContain("needle");
    expect(content.length).toBeLessThan(1_000);
  });
});

test.each(['"', "a OR b", "NEAR(a b)", "content:a", "a*", "^a", "%", "'; DROP TABLE x; --", "\0", "-", ""])(
  "S16: %j is text, never an operator",
  async (query) => {
    const agent = await memory();
    await agent.in(async (self) => {
      await self.session.appendMessage(said("user", "a b", "m1"));
      const found = [...(await self.searchConversations(query)), ...(await self.session.search(query))];
      // "a*" and "^a" have the word "a" in them, and nothing else that counts.
      expect(found.length).toBe(["a*", "^a"].includes(query) ? 2 : 0);
    });
  },
);

test("bad queries and limits are refused by name", async () => {
  const agent = await memory();
  await agent.in(async (self) => {
    const refused = async (code: string, call: Promise<unknown>) =>
      expect(call).rejects.toMatchObject({ name: "ThinkInputError", code });
    await refused("not-a-string", self.searchConversations(7 as never));
    await refused("too-large", self.session.search("x".repeat(1_001)));
    await refused("not-a-number", self.searchConversations("x", { limit: "2" as never }));
    expect(await self.searchConversations("x", { limit: -1 })).toEqual([]);
  });
});

test("contract: agents/sessions still keeps the index and the columns that searchConversations reads", async () => {
  const agent = await memory();
  await agent.in(async ({ session }, { storage }) => {
    await session.search("anything");
    const columns = storage.sql.exec("SELECT name FROM pragma_table_info('cf_agents_session_fts')").toArray();
    expect(columns.map(({ name }) => name)).toEqual(["id", "session_id", "role", "content"]);
    const rows = storage.sql.exec("SELECT name FROM pragma_table_info('cf_agents_session_messages')").toArray();
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(["session_id", "id", "created_at"]));
  });
});
