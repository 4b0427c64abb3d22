import { expect, test } from "vitest";
import { SessionConversation } from "../../src/conversation/session-conversation.ts";
import { freshAgent, inside } from "../support/agents.ts";
import { userMessage } from "../support/test-agent.ts";

test("a compaction that never returns holds up one turn only, and until it is done no other", async () => {
  const { agent } = await freshAgent("following");
  await agent.addMessages([userMessage("root", "root")]);
  const waited = await inside(agent, async ({ sessions }, { storage }) => {
    const stuck = Promise.withResolvers<void>();
    const conversation = new SessionConversation(sessions, { followingMs: 1_000 });
    sessions.subscribe(() => stuck.promise);
    await conversation.ready();
    const add = (id: string): void => {
      const write = conversation.write();
      storage.transactionSync(() => write.append([userMessage(id, id)], conversation.leafId()));
      write.committed();
    };
    const waits = (): Promise<boolean> =>
      Promise.race([conversation.compare([]).then(() => false), scheduler.wait(500).then(() => true)]);
    add("a");
    const first = [await waits(), await waits(), await conversation.compare([]).then(() => false)];
    add("b");
    const later = await waits();
    stuck.resolve();
    await scheduler.wait(1);
    return { first, later, afterwards: await waits() };
  });
  expect(waited).toEqual({ first: [true, true, false], later: false, afterwards: false });
});
