import { expect, test } from "vitest";
import { type AgentClient, freshAgent, inside } from "../support/agents.ts";
import { allEventTypes, transcript } from "../support/observe.ts";
import { modelCallsOf, userMessage } from "../support/test-agent.ts";

async function withTwo(): Promise<{ name: string; agent: AgentClient }> {
  const { name, agent } = await freshAgent("add");
  await agent.addMessages([userMessage("A", "a"), userMessage("B", "b")]);
  return { name, agent };
}

test("T-40 T-43: messages are stored as one chain, without a turn", async () => {
  const { name, agent } = await withTwo();
  await agent.addMessages([userMessage("C", "c")]);
  expect(await transcript(agent)).toEqual(["user: A", "user: B", "user: C"]);
  expect(modelCallsOf(name)).toBe(0);
  expect(await allEventTypes(agent)).toEqual([]);
});

test("T-41: nothing, and a function that returns nothing, add nothing", async () => {
  const { agent } = await withTwo();
  await agent.addMessages([]);
  await inside(agent, (instance) => instance.addMessages(() => []));
  await inside(agent, (instance) => instance.addMessages((current) => [...current, userMessage("C", "c")]));
  expect(await transcript(agent)).toEqual(["user: A", "user: B", "user: C"]);
});

test("T-42: an unknown parent is refused before anything is written", async () => {
  const { agent } = await withTwo();
  const refused = inside(agent, (instance) => instance.addMessages([userMessage("C")], { parentId: "nobody" }));
  await expect(refused).rejects.toThrow('addMessages: parentId "nobody" does not exist in this session');
  expect(await transcript(agent)).toEqual(["user: A", "user: B"]);
});

test("T-42 T-44: null begins a new root, and a parent that forks moves the path there", async () => {
  const { agent } = await withTwo();
  await agent.addMessages([userMessage("C", "c")], { parentId: "a" });
  expect(await transcript(agent)).toEqual(["user: A", "user: C"]);
  await agent.addMessages([userMessage("D", "d")], { parentId: null });
  expect(await transcript(agent)).toEqual(["user: D"]);
});

test("T-43: a known message is left in its place, and is the parent of the next one", async () => {
  const { agent } = await withTwo();
  await agent.addMessages([userMessage("other", "a"), userMessage("C", "c")]);
  expect(await transcript(agent)).toEqual(["user: A", "user: C"]);
});

test("T-43: upsert changes a known message in its place", async () => {
  const { agent } = await withTwo();
  await agent.addMessages([userMessage("other", "b")], { mode: "upsert" });
  expect(await transcript(agent)).toEqual(["user: A", "user: other"]);
});

test("T-46: a message of any role may be written, and triggers nothing", async () => {
  const { name, agent } = await withTwo();
  await agent.addMessages([
    { id: "c", role: "assistant", parts: [{ type: "text", text: "C" }] },
    { id: "d", role: "system", parts: [{ type: "text", text: "D" }] },
  ]);
  expect((await transcript(agent)).slice(2)).toEqual(["assistant: C", "system: D"]);
  expect(modelCallsOf(name)).toBe(0);
});

test("T-42: malformed messages are refused by name, and nothing is written", async () => {
  const { agent } = await withTwo();
  const refused = inside(agent, (instance) =>
    instance.addMessages([userMessage("C"), { id: "x", role: "robot", parts: [] } as never]),
  );
  await expect(refused).rejects.toMatchObject({ name: "ThinkInputError", field: "messages[1].role" });
  expect(await transcript(agent)).toEqual(["user: A", "user: B"]);
});
