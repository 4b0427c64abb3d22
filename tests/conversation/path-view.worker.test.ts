import type { SessionMessage } from "agents/sessions";
import { expect, test } from "vitest";
import { type AgentClient, freshAgent, inside, restart } from "../support/agents.ts";
import { modelCalled, transcript } from "../support/observe.ts";
import { heldReply } from "../support/scripts.ts";
import { promptsOf, setUp, type TestAgent, userMessage } from "../support/test-agent.ts";

/** An agent with one answered question, so that its view of the path is in memory. */
async function conversing(): Promise<{ name: string; agent: AgentClient }> {
  const { name, agent } = await freshAgent("path-view");
  await agent.saveMessages([userMessage("first", "u1")]);
  return { name, agent };
}

/** Write to the session as a subclass would; then what a turn sees must be what is on disk. */
async function afterWrite(agent: AgentClient, write: (instance: TestAgent) => Promise<unknown>): Promise<string[]> {
  await inside(agent, (instance) => write(instance));
  const live = await transcript(agent);
  await restart(agent);
  expect(await transcript(agent)).toEqual(live);
  return live;
}

const message = (text: string, id: string): SessionMessage => userMessage(text, id) as SessionMessage;
const HELLO = "assistant: Hello there";

test("an append by others is the end of the path", async () => {
  const { agent } = await conversing();
  const path = await afterWrite(agent, ({ sessions }) => sessions.session().appendMessage(message("noted", "n1")));
  expect(path).toEqual(["user: first", HELLO, "user: noted"]);
});

test("an update by others changes the message in its place", async () => {
  const { agent } = await conversing();
  const path = await afterWrite(agent, ({ sessions }) => sessions.session().updateMessage(message("other", "u1")));
  expect(path).toEqual(["user: other", HELLO]);
});

test("a branch moves the path", async () => {
  const { agent } = await conversing();
  const path = await afterWrite(agent, async ({ sessions }) => {
    await sessions.session().appendMessage(message("instead", "b1"), { parentId: "u1" });
  });
  expect(path).toEqual(["user: first", "user: instead"]);
});

test("a new root begins the path anew", async () => {
  const { agent } = await conversing();
  const path = await afterWrite(agent, ({ sessions }) =>
    sessions.session().appendMessage(message("again", "r1"), { parentId: null }),
  );
  expect(path).toEqual(["user: again"]);
});

test("a deletion by others leaves the rest", async () => {
  const { agent } = await conversing();
  const path = await afterWrite(agent, ({ sessions }) => sessions.session().deleteMessages(["u1"]));
  expect(path).toEqual([HELLO]);
});

test("a clear by others empties the path", async () => {
  const { agent } = await conversing();
  expect(await afterWrite(agent, ({ sessions }) => sessions.session().clearMessages())).toEqual([]);
});

test("a compaction puts its summary in the place of what it covers, and the next turn goes on below the stored end", async () => {
  const { name, agent } = await conversing();
  const path = await afterWrite(agent, async (instance) => {
    const last = (await instance.getMessages()).at(-1)?.id ?? "";
    await instance.sessions.session().addCompaction("what was said", "u1", last);
  });
  expect(path).toHaveLength(1);
  expect(path[0]).toContain("what was said");
  await agent.saveMessages([userMessage("next", "u2")]);
  expect((await transcript(agent)).slice(1)).toEqual(["user: next", HELLO]);
  expect(JSON.stringify(promptsOf(name).at(-1))).toContain("what was said");
});

test("a write to another session of the object changes nothing here", async () => {
  const { agent } = await conversing();
  const path = await afterWrite(agent, ({ sessions }) =>
    sessions.session("another").appendMessage(message("elsewhere", "e1")),
  );
  expect(path).toEqual(["user: first", HELLO]);
});

test("a message that is added while a turn streams stays before its answer, and both are stored", async () => {
  const { name, agent } = await freshAgent("path-view");
  const held = heldReply();
  setUp(name, held);
  const turn = agent.saveMessages([userMessage("first")]);
  await modelCalled(name, 1);
  await agent.addMessages([userMessage("meanwhile")]);
  held.open();
  await turn;
  const live = await transcript(agent);
  expect(live).toEqual(["user: first", "user: meanwhile", "assistant: before after"]);
  await restart(agent);
  expect(await transcript(agent)).toEqual(live);
});

test("the model is asked with the path as it is when its turn begins", async () => {
  const { name, agent } = await conversing();
  await inside(agent, ({ sessions }) => sessions.session().appendMessage(message("noted", "n1")));
  await agent.saveMessages([userMessage("second")]);
  const asked = promptsOf(name).at(-1) as { role: string; content: unknown }[];
  expect(asked.filter(({ role }) => role === "user").map(({ content }) => content)).toMatchObject([
    [{ text: "first" }],
    [{ text: "noted" }],
    [{ text: "second" }],
  ]);
});
