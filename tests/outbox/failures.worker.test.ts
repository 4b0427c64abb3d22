import { finalAnswer } from "../support/structured-turn.ts";
import { setUp } from "../support/test-agent.ts";
import { expect, test } from "vitest";
import { alarmOf, crash, drain, freshAgent, inside } from "../support/agents.ts";
import { eventTypes } from "../support/observe.ts";
import { answerWith, sentBy, sentTimes } from "../support/workflow-sender.ts";
import { ask } from "./prompts.ts";

const fail = (message: string) => (): void => {
  throw new Error(message);
};

test("W-26: a delivery that failed is tried again after 2 s, by one alarm at that time", async () => {
  const { name, agent } = await freshAgent("outbox");
  answerWith(name, fail("unreachable"));
  const id = await ask(agent, "w1");
  await sentTimes(name, 1);
  await expect.poll(() => agent.listNotifications()).toMatchObject([{ submissionId: id, state: "due", attempts: 1 }]);
  const [due] = await agent.listNotifications({ state: "due" });
  await expect.poll(() => alarmOf(agent)).toBe(due?.dueAt);
  answerWith(name, () => {});
  await drain(agent);
  expect(sentBy(name)).toHaveLength(2);
  expect(await agent.listNotifications()).toEqual([]);
  expect(await alarmOf(agent)).toBeNull();
});

test("FR-25: what can never be delivered is parked at once, with the reason and without an alarm; replayed, it is delivered", async () => {
  const { name, agent } = await freshAgent("outbox");
  answerWith(name, fail("instance.not_found"));
  const submissionId = await ask(agent, "w1");
  await agent.waitForSubmission(submissionId);
  await drain(agent);
  const parked = await agent.listNotifications();
  expect(parked).toMatchObject([{ submissionId, state: "parked", attempts: 1, error: "instance.not_found" }]);
  expect(await alarmOf(agent)).toBeNull();

  answerWith(name, () => {});
  expect(await agent.replayNotifications({ ids: [parked[0]?.notificationId ?? "", "unknown"] })).toBe(1);
  await drain(agent);
  expect(sentBy(name)).toHaveLength(2);
  expect(await agent.listNotifications()).toEqual([]);
});

test("FR-24: 50 dead instances in the outbox do not delay a live one", async () => {
  const { name, agent } = await freshAgent("outbox");
  answerWith(name, ({ workflowId }) => (workflowId === "live" ? undefined : new Promise<void>(() => {})));
  const dead = await inside(agent, (instance) =>
    Promise.all(Array.from({ length: 50 }, (_, i) => ask(instance as never, `dead-${i}`))),
  );
  await Promise.all(dead.map((id) => agent.waitForSubmission(id)));
  const again = await crash(agent);
  const start = Date.now();
  await ask(again, "live");
  await expect.poll(() => sentBy(name).some(({ workflowId }) => workflowId === "live"), { timeout: 5_000 }).toBe(true);
  expect(Date.now() - start).toBeLessThan(1_500);
});

test("FR-22 W-12: a step that starts over gets its outcome again, delivered, parked or erased", async () => {
  const { name, agent } = await freshAgent("outbox");
  setUp(name, { script: () => finalAnswer({ title: "Tide" }) });
  const id = await ask(agent, "w1");
  await agent.waitForSubmission(id);
  await drain(agent);
  expect(await ask(agent, "w1")).toBe(id);
  await drain(agent);
  expect(sentBy(name)).toHaveLength(2);

  await inside(agent, async (instance) => {
    instance.idempotencyRetention = "forever";
    await instance.deleteSubmission(id);
  });
  expect(await ask(agent, "w1")).toBe(id);
  await drain(agent);
  const answered = { submissionId: id, status: "completed", output: { title: "Tide" } };
  const erased = { submissionId: id, status: "error", error: "The submission was deleted, and its output with it." };
  expect(sentBy(name).map(({ event }) => event.payload)).toEqual([answered, answered, erased]);
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
});

test("a delivery that was cut off by the end of the object is made again at its next wake", async () => {
  const { name, agent } = await freshAgent("outbox");
  answerWith(name, () => new Promise<void>(() => {}));
  const id = await ask(agent, "w1");
  await sentTimes(name, 1);
  answerWith(name, () => {});
  const again = await crash(agent);
  expect(await alarmOf(again)).not.toBeNull();
  await sentTimes(name, 2);
  await expect.poll(async () => (await eventTypes(again, id)).at(-1)).toBe("NotificationDelivered");
  expect((await eventTypes(again, id)).filter((type) => type === "NotificationDelivered")).toHaveLength(1);
});

test("bad arguments are named", async () => {
  const { agent } = await freshAgent("outbox");
  await inside(agent, async (instance) => {
    await expect(instance.listNotifications({ state: "sent" as never })).rejects.toMatchObject({ field: "state" });
    await expect(instance.replayNotifications({ ids: [1] as never })).rejects.toMatchObject({ field: "ids[0]" });
    await expect(instance.replayNotifications({} as never)).rejects.toMatchObject({ field: "ids" });
  });
});
