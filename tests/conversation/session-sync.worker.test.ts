import type { SessionChangeEvent, SessionMessage } from "agents/sessions";
import { expect, test } from "vitest";
import { SessionSync } from "../../src/conversation/session-sync.ts";
import { type AgentClient, freshAgent, inside, restart } from "../support/agents.ts";
import { userMessage } from "../support/test-agent.ts";

/**
 * What `src/conversation/session-sync.ts` relies on: an undocumented member of `agents/sessions`. When a new
 * version of `agents` breaks it, it breaks here first.
 */

const message = (text: string, id: string): SessionMessage => userMessage(text, id) as SessionMessage;

async function readyAgent(): Promise<AgentClient> {
  const { agent } = await freshAgent("session-sync");
  await agent.addMessages([userMessage("root", "root")]);
  return agent;
}

const storedIds = (agent: AgentClient): Promise<string[]> =>
  inside(agent, async ({ sessions }) => (await sessions.session().getHistory()).map(({ id }) => id));

test("an upsert is synchronous: it is on disk in the transaction it is made in", async () => {
  const agent = await readyAgent();
  const inTransaction = await inside(agent, ({ sessions }, { storage }) => {
    const sync = new SessionSync(sessions.session());
    return storage.transactionSync(() => {
      sync.upsert(message("Hi", "m1"), "root");
      return storage.sql.exec("SELECT id FROM cf_agents_session_messages WHERE id = 'm1'").toArray().length;
    });
  });
  expect(inTransaction).toBe(1);
  expect(await storedIds(agent)).toEqual(["root", "m1"]);
});

test("subscribers hear of it only when after() is called", async () => {
  const agent = await readyAgent();
  const heard = await inside(agent, async ({ sessions }, { storage }) => {
    const events: SessionChangeEvent[] = [];
    sessions.subscribe((event) => void events.push(event));
    const sync = new SessionSync(sessions.session());
    const write = storage.transactionSync(() => sync.upsert(message("Hi", "m1"), "root"));
    const before = events.length;
    await write.after();
    return { before, events };
  });
  expect(heard).toMatchObject({ before: 0, events: [{ type: "append", parentId: "root", inserted: true }] });
});

test("a known id is updated in its place, and keeps its parent", async () => {
  const agent = await readyAgent();
  await agent.addMessages([userMessage("old", "m1"), userMessage("next", "m2")]);
  await inside(agent, async ({ sessions }, { storage }) => {
    const sync = new SessionSync(sessions.session());
    await storage.transactionSync(() => sync.upsert(message("new", "m1"), null)).after();
  });
  expect(await storedIds(agent)).toEqual(["root", "m1", "m2"]);
  expect((await agent.getMessages())[1]?.parts).toEqual([{ type: "text", text: "new" }]);
});

test("what it says was stored is what is stored: provider leftovers are gone from both", async () => {
  const agent = await readyAgent();
  const leftover = { type: "text", text: "Hi", providerMetadata: { openai: { itemId: "msg_1" } } };
  const { stored, read } = await inside(agent, async ({ sessions }, { storage }) => {
    const session = sessions.session();
    const dirty = { id: "m1", role: "assistant", parts: [leftover] } as SessionMessage;
    const write = storage.transactionSync(() => new SessionSync(session).upsert(dirty, "root"));
    return { stored: write.stored, read: await session.getMessage("m1") };
  });
  expect(stored.parts).toEqual([{ type: "text", text: "Hi" }]);
  expect(read).toEqual(stored);
});

test("a parent that does not exist makes a root, and null does", async () => {
  const agent = await readyAgent();
  for (const parent of ["nobody", null]) {
    const id = `below-${parent}`;
    await inside(agent, async ({ sessions }, { storage }) => {
      await storage
        .transactionSync(() => new SessionSync(sessions.session()).upsert(message("Hi", id), parent))
        .after();
    });
    expect(await storedIds(agent)).toEqual([id]);
  }
});

test("an upsert in a transaction that rolls back leaves nothing, and abandon() repairs what the session remembers", async () => {
  const agent = await readyAgent();
  const after = await inside(agent, async ({ sessions }, { storage }) => {
    const session = sessions.session();
    const sync = new SessionSync(session);
    try {
      storage.transactionSync(() => {
        sync.upsert(message("Hi", "m1"), "root");
        sync.upsert(message("there", "m2"), "m1");
        throw new Error("rolled back");
      });
    } catch {
      sync.abandon();
    }
    const leaf = (await session.getLatestLeaf())?.id;
    await session.appendMessage(message("next", "m3"));
    return { leaf, path: (await session.getHistory()).map(({ id }) => id), lost: await session.getMessage("m1") };
  });
  expect(after).toEqual({ leaf: "root", path: ["root", "m3"], lost: null });
  await restart(agent);
  expect(await storedIds(agent)).toEqual(["root", "m3"]);
});

test("without abandon() the session would go on from a message that is not there", async () => {
  const agent = await readyAgent();
  const path = await inside(agent, async ({ sessions }, { storage }) => {
    const session = sessions.session();
    try {
      storage.transactionSync(() => {
        new SessionSync(session).upsert(message("Hi", "m1"), "root");
        throw new Error("rolled back");
      });
    } catch {
      // Left as it is, on purpose.
    }
    await session.appendMessage(message("next", "m3"));
    return (await session.getHistory()).map(({ id }) => id);
  });
  expect(path).not.toEqual(["root", "m3"]);
});

test("a long message is stored whole", async () => {
  const agent = await readyAgent();
  const long = "漢".repeat(900_000);
  await inside(agent, async ({ sessions }, { storage }) => {
    await storage
      .transactionSync(() => new SessionSync(sessions.session()).upsert(message(long, "m1"), "root"))
      .after();
  });
  await restart(agent);
  expect((await agent.getMessages())[1]?.parts).toEqual([{ type: "text", text: long }]);
});
