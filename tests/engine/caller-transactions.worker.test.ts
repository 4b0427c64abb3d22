import { expect, test } from "vitest";
import { type AgentClient, freshAgent, inside } from "../support/agents.ts";
import { eventTypes, modelCalled } from "../support/observe.ts";
import { heldReply } from "../support/scripts.ts";
import { setUp, type TestAgent, userMessage } from "../support/test-agent.ts";

/** A caller's own transaction around calls of ours, which the caller then takes back. */
function takenBack(storage: DurableObjectStorage, calls: () => void): void {
  try {
    storage.transactionSync(() => {
      calls();
      throw new Error("a rule of the caller's");
    });
  } catch {
    // That is what was asked for.
  }
}

/** The same with calls that await. */
const takenBackLater = (storage: DurableObjectStorage, calls: () => Promise<unknown>): Promise<void> =>
  storage
    .transaction(async () => {
      await calls();
      throw new Error("a rule of the caller's");
    })
    .catch(() => {});

/** An agent with a completed submission, `a`. */
async function usedAgent(): Promise<{ name: string; agent: AgentClient }> {
  const { name, agent } = await freshAgent("caller-transaction");
  await agent.submitMessages([userMessage("A")], { submissionId: "a" });
  await agent.waitForSubmission("a");
  return { name, agent };
}

const isWhole = async (agent: AgentClient): Promise<void> => {
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
  expect((await agent.rebuildProjections()).filter(({ differences }) => differences > 0)).toEqual([]);
};

test("H4: a reset that the caller's transaction takes back leaves the log whole for what comes next", async () => {
  const { agent } = await usedAgent();
  await inside(agent, (instance, { storage }) => takenBack(storage, () => instance.reset()));
  await agent.submitMessages([userMessage("B")], { submissionId: "b" });
  expect(await agent.waitForSubmission("b")).toMatchObject({ status: "completed" });
  await isWhole(agent);
});

test("H4: a submission that the caller's transaction takes back is unknown, and its id is free", async () => {
  const { agent } = await usedAgent();
  await inside(agent, (instance, { storage }) =>
    takenBackLater(storage, () => instance.submitMessages([userMessage("X")], { submissionId: "x" })),
  );
  expect(await agent.inspectSubmission("x")).toBeNull();
  expect(await eventTypes(agent, "x")).toEqual([]);
  expect(await agent.submitMessages([userMessage("X")], { submissionId: "x" })).toMatchObject({ accepted: true });
  expect(await agent.waitForSubmission("x")).toMatchObject({ status: "completed" });
  await isWhole(agent);
});

test("H4: what is taken back can be done again in the same breath", async () => {
  const { agent } = await usedAgent();
  const generations = await inside(agent, async (instance, { storage }) => {
    const reset = () => instance.reset();
    takenBack(storage, reset);
    takenBack(storage, reset);
    reset();
    const { events } = await instance.auditLog({ types: ["LaneReset"] });
    return events.map(({ data }) => data);
  });
  expect(generations).toMatchObject([{ generation: 1 }]);
  await isWhole(agent);
});

test("H4: a turn that runs meanwhile ends on record", async () => {
  const { name, agent } = await usedAgent();
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("B")], { submissionId: "b" });
  await modelCalled(name, 2);
  const add = (instance: TestAgent) => instance.submitMessages([userMessage("C")], { submissionId: "c" });
  await inside(agent, (instance, { storage }) => takenBackLater(storage, () => add(instance)));
  held.open();
  expect(await agent.waitForSubmission("b")).toMatchObject({ status: "completed" });
  expect(await agent.inspectSubmission("c")).toBeNull();
  await isWhole(agent);
});
