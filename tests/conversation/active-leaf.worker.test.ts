import { expect, test } from "vitest";
import { ids, memory, type Memory, said } from "../support/memory.ts";

/** u1 → a1 → u2 → a2, and a1b beside a1, which is the newest row. */
async function branched(): Promise<Memory> {
  const agent = await memory();
  await agent.in(async ({ session }) => {
    for (const [role, id] of [
      ["user", "u1"],
      ["assistant", "a1"],
      ["user", "u2"],
      ["assistant", "a2"],
    ] as const) {
      await session.appendMessage(said(role, id, id));
    }
    await session.appendMessage(said("assistant", "a1b", "a1b"), "u1");
  });
  return agent;
}

test("S10: the newest row is the leaf; another branch can be chosen, and the view and every read follow", async () => {
  const agent = await branched();
  await agent.in(async (self) => {
    expect([self.session.activeLeafId, ids(self.messages)]).toEqual([null, ["u1", "a1b"]]);
    await self.session.setActiveLeaf("a2");
    expect([self.session.activeLeafId, ids(self.messages)]).toEqual(["a2", ["u1", "a1", "u2", "a2"]]);
    expect(ids(await self.getMessages())).toEqual(["u1", "a1", "u2", "a2"]);
    expect(ids(await self.session.getHistory())).toEqual(["u1", "a1", "u2", "a2"]);
    expect((await self.session.getLatestLeaf())?.id).toBe("a2");
    expect(await self.session.getPathLength()).toBe(4);
    await self.session.setActiveLeaf(null);
    expect([self.session.activeLeafId, ids(self.messages)]).toEqual([null, ["u1", "a1b"]]);
  });
});

test("S10: the choice survives a restart, in one row", async () => {
  const agent = await branched();
  await agent.in(({ session }) => session.setActiveLeaf("a2"));
  await agent.restart();
  await agent.in(async (self, { storage }) => {
    expect(self.session.activeLeafId).toBe("a2");
    expect(ids(self.messages)).toEqual(["u1", "a1", "u2", "a2"]);
    expect(storage.sql.exec("SELECT count(*) AS n FROM thinklog_active_leaf").one().n).toBe(1);
  });
});

test("S6: an append goes below the chosen leaf, is the leaf then, and the choice is over, also after a restart", async () => {
  const agent = await branched();
  await agent.in(async (self) => {
    await self.session.setActiveLeaf("a2");
    await self.session.appendMessage(said("user", "u3", "u3"));
    expect(self.session.activeLeafId).toBeNull();
    expect(ids(self.messages)).toEqual(["u1", "a1", "u2", "a2", "u3"]);
  });
  await agent.restart();
  expect(await agent.path()).toEqual(["u1", "a1", "u2", "a2", "u3"]);
});

test("S6: a turn goes on from the chosen leaf", async () => {
  const agent = await branched();
  await agent.in(({ session }) => session.setActiveLeaf("a2"));
  await agent.ask("and now?", "u3");
  expect((await agent.path()).slice(0, 5)).toEqual(["u1", "a1", "u2", "a2", "u3"]);
  expect(await agent.in(({ session }) => session.activeLeafId)).toBeNull();
});

test("a row stored by the raw session, which knows no choice, ends the choice and is where the view goes", async () => {
  const agent = await branched();
  await agent.in(async (self) => {
    await self.session.setActiveLeaf("a2");
    await self.sessions.session().appendMessage(said("user", "u3", "u3"));
    expect(ids(self.messages)).toEqual(["u1", "a1b", "u3"]);
  });
});

test("an unknown message cannot be chosen, and the newest row needs no choice", async () => {
  const agent = await branched();
  await agent.in(async (self, { storage }) => {
    await expect(self.session.setActiveLeaf("nobody")).rejects.toMatchObject({
      name: "ThinkInputError",
      code: "unknown-message",
      field: "messageId",
    });
    await self.session.setActiveLeaf("a1b");
    expect(self.session.activeLeafId).toBeNull();
    expect(storage.sql.exec("SELECT count(*) AS n FROM thinklog_active_leaf").one().n).toBe(0);
  });
});

test("a deletion elsewhere keeps the choice, that of the chosen message or of everything ends it", async () => {
  const agent = await branched();
  await agent.in(async (self) => {
    await self.session.setActiveLeaf("a2");
    await self.session.deleteMessages(["a1b"]);
    await self.session.deleteMessages(["a2"]);
    expect([self.session.activeLeafId, ids(self.messages)]).toEqual([null, ["u1", "a1", "u2"]]);
    await self.session.setActiveLeaf("a1");
    await self.session.clearMessages();
    expect([self.session.activeLeafId, self.messages]).toEqual([null, []]);
  });
});

test("FR-69: branches do not leak: the path is the same live and after a restart, the old branch stays reachable", async () => {
  const agent = await branched();
  await agent.in(async ({ session }) => {
    await session.appendMessage(said("user", "u3", "u3"));
    expect(ids(await session.getHistory())).toEqual(["u1", "a1b", "u3"]);
    expect(ids(await session.getHistory("a2"))).toEqual(["u1", "a1", "u2", "a2"]);
  });
  await agent.restart();
  expect(await agent.path()).toEqual(["u1", "a1b", "u3"]);
  await agent.in(async (self) => {
    expect(ids(self.messages)).toEqual(["u1", "a1b", "u3"]);
    expect(ids(await self.session.getBranches("u1"))).toEqual(["a1", "a1b"]);
    expect(ids(await self.session.getHistory("a2"))).toEqual(["u1", "a1", "u2", "a2"]);
  });
});

test("FR-69: the model gets the active branch alone", async () => {
  const agent = await branched();
  await agent.ask("u3");
  const prompt = JSON.stringify(agent.calls().at(-1)?.prompt);
  expect(prompt).toContain("a1b");
  expect(prompt).not.toContain('"a2"');
});

test("FR-69: a summary of one branch does not show on another", async () => {
  const agent = await branched();
  await agent.in(async (self) => {
    await self.session.addCompaction("what was said", "a1", "u2");
    expect(ids(self.messages)).toEqual(["u1", "a1b"]);
    await self.session.setActiveLeaf("a2");
    expect(self.messages.map(({ id }) => id.split("_")[0])).toEqual(["u1", "compaction", "a2"]);
  });
});
