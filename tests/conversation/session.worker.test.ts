import { expect, test } from "vitest";
import { ids, memory, said } from "../support/memory.ts";

const U1 = said("user", "first question", "u1");
const A1 = said("assistant", "first answer", "a1");

test("S3, T33: messages chain below the newest one, a null parent begins a tree, an unknown parent too", async () => {
  const agent = await memory();
  await agent.in(async ({ session }) => {
    await session.appendMessage(U1);
    await session.appendMessage(A1);
    expect(ids(await session.getHistory())).toEqual(["u1", "a1"]);
    await session.appendMessage(said("user", "new root", "r"), null);
    expect(ids(await session.getHistory())).toEqual(["r"]);
    await session.appendMessage(said("user", "no such parent", "x"), { parentId: "nobody" });
    expect(ids(await session.getHistory())).toEqual(["x"]);
  });
});

test("S2, T34, T35, S58: a known id is stored once, and the stored content is what is seen", async () => {
  const agent = await memory();
  await agent.in(async (self) => {
    await self.session.appendMessage(U1);
    const { inserted, message } = await self.session.appendMessage(said("user", "other words", "u1"));
    expect([inserted, message]).toMatchObject([false, U1]);
    expect(self.messages).toMatchObject([U1]);
  });
});

test("S4: metadata that is the server's own is stripped from what a client sends", async () => {
  const agent = await memory();
  const forged = { ...U1, metadata: { channel: "email", turnMetadata: { admin: true }, mood: "good" } };
  await agent.in(async ({ session }) => {
    await session.appendMessage(forged, { source: "client" });
    expect((await session.getMessage("u1"))?.metadata).toEqual({ mood: "good" });
  });
});

test("S7, S59, T40: an update keeps its place; an unknown id updates nothing and shows nothing", async () => {
  const agent = await memory();
  await agent.in(async (self) => {
    await self.session.appendMessage(U1);
    await self.session.appendMessage(A1);
    await self.session.updateMessage(said("user", "changed", "u1"));
    expect(await self.session.updateMessage(said("user", "?", "nobody"))).toBeNull();
    expect(self.messages).toMatchObject([{ id: "u1", parts: [{ text: "changed" }] }, A1]);
  });
});

test("S8: deleting a message attaches what came after it to what came before", async () => {
  const agent = await memory();
  await agent.in(async (self) => {
    await self.session.appendMessage(U1);
    await self.session.appendMessage(A1);
    await self.session.appendMessage(said("user", "next", "u2"));
    await self.session.deleteMessages(["a1"]);
    expect(ids(self.messages)).toEqual(["u1", "u2"]);
    expect(ids(await self.session.getHistory())).toEqual(["u1", "u2"]);
  });
});

test("S8: when the end of the path is deleted, the view follows to the newest row, wherever that is", async () => {
  const agent = await memory();
  await agent.in(async (self) => {
    await self.session.appendMessage(U1);
    await self.session.appendMessage(A1);
    await self.session.appendMessage(said("assistant", "again", "a2"), "u1");
    await self.session.deleteMessages(["a2"]);
    expect(ids(self.messages)).toEqual(["u1", "a1"]);
  });
});

test("S9, T41: a clear empties the storage and the view", async () => {
  const agent = await memory();
  await agent.ask("hello");
  await agent.in(async (self) => {
    await self.session.clearMessages();
    expect([self.messages, await self.session.getHistory()]).toEqual([[], []]);
  });
});

test("S56, T39: what is appended directly is in this.messages at once, on a branch too", async () => {
  const agent = await memory();
  await agent.in(async (self) => {
    await self.session.appendMessage(U1);
    await self.session.appendMessage(A1);
    expect(ids(self.messages)).toEqual(["u1", "a1"]);
    await self.session.appendMessage(said("assistant", "again", "a2"), "u1");
    expect(ids(self.messages)).toEqual(["u1", "a2"]);
  });
});

test("S57, T37, T38: the helpers keep memory and storage equal; getMessages gives a copy to the last leaf", async () => {
  const agent = await memory();
  await agent.in(async (self) => {
    await self.append(U1);
    await self.append(A1, "u1");
    await self.update(said("assistant", "better", "a1"));
    const copy = await self.getMessages();
    const [part] = copy[0]!.parts;
    if (part?.type === "text") part.text = "spoiled";
    copy.pop();
    self.messages.pop();
    expect(self.messages).toEqual(await self.sync());
    expect(self.messages).toMatchObject([U1, { id: "a1", parts: [{ text: "better" }] }]);
  });
});

test("6.1: the older positional signatures, branches, row sizes and imports", async () => {
  const agent = await memory();
  await agent.in(async ({ session }) => {
    await session.importMessage(U1, { parentId: null, createdAt: 1_000 });
    await session.appendMessage(A1, "u1");
    await session.upsertMessage(said("assistant", "again", "a2"), "u1");
    await session.upsertMessage(said("assistant", "for the first time", "a1"), "a2");
    expect(ids(await session.getBranches("u1"))).toEqual(["a1", "a2"]);
    expect(ids(await session.getHistory("a1"))).toEqual(["u1", "a1"]);
    expect((await session.getLatestLeaf())?.id).toBe("a2");
    expect((await session.getHistoryRowStats("a1")).map(({ id, role }) => [id, role])).toEqual([
      ["u1", "user"],
      ["a1", "assistant"],
    ]);
    expect([await session.getPathLength(), session.sessionId]).toEqual([2, ""]);
    expect(await session.getRecentHistory(1, 4)).toMatchObject({ truncated: true, messages: [{ id: "a2" }] });
    const seen: string[] = [];
    for await (const { id } of session.history({ newestFirst: true })) seen.push(id);
    for await (const batch of session.historyBatches({ batchSize: 2 })) seen.push(ids(batch).join());
    expect(seen).toEqual(["a2", "u1", "u1,a2"]);
  });
});
