import { expect, test } from "vitest";
import { alarmOf, drain, freshAgent } from "../support/agents.ts";
import { eventTypes } from "../support/observe.ts";
import { dump } from "../support/raw-log.ts";
import { finalAnswer } from "../support/structured-turn.ts";
import { setUp } from "../support/test-agent.ts";
import { answerWith, sentBy, sentTimes } from "../support/workflow-sender.ts";
import { ask } from "./prompts.ts";

test("W-24 W-25: the outcome of a workflow's prompt is sent to it once, and nothing of it is kept", async () => {
  const { name, agent } = await freshAgent("outbox");
  setUp(name, { script: () => finalAnswer({ title: "Tide" }) });
  const submissionId = await ask(agent, "w1");
  await agent.waitForSubmission(submissionId);
  await drain(agent);
  expect(sentBy(name)).toEqual([
    {
      workflowName: "REPORT",
      workflowId: "w1",
      event: { type: "prompt-sum", payload: { submissionId, status: "completed", output: { title: "Tide" } } },
    },
  ]);
  expect((await eventTypes(agent, submissionId)).slice(-3)).toEqual([
    "TurnCompleted",
    "NotificationQueued",
    "NotificationDelivered",
  ]);
  expect(await dump(agent, "thinklog_outbox")).toEqual([]);
  expect(await alarmOf(agent)).toBeNull();
});

test("FR-22: asked again while a delivery is on its way, the outcome is sent once more: an earlier life may have got it", async () => {
  const { name, agent } = await freshAgent("outbox");
  setUp(name, { script: () => finalAnswer({ title: "Tide" }) });
  const acknowledged = Promise.withResolvers<void>();
  answerWith(name, () => acknowledged.promise);
  const submissionId = await ask(agent, "w1");
  await sentTimes(name, 1);
  const again = ask(agent, "w1");
  acknowledged.resolve();
  expect(await again).toBe(submissionId);
  await drain(agent);
  expect(sentBy(name)).toHaveLength(2);
  expect(await dump(agent, "thinklog_outbox")).toEqual([]);
});

test("deleted while its step waits for a delivery, a prompt is asked anew", async () => {
  const { name, agent } = await freshAgent("outbox");
  setUp(name, { script: () => finalAnswer({ title: "Tide" }) });
  const acknowledged = Promise.withResolvers<void>();
  answerWith(name, () => acknowledged.promise);
  const first = await ask(agent, "w1");
  await sentTimes(name, 1);
  const again = ask(agent, "w1");
  expect(await agent.deleteSubmission(first)).toBe(true);
  acknowledged.resolve();
  expect(await again).not.toBe(first);
});

test("deleted before its outcome was delivered, a prompt ends with that reason and not with a wrong output", async () => {
  const { name, agent } = await freshAgent("outbox");
  setUp(name, { script: () => finalAnswer({ title: "Tide" }) });
  answerWith(name, () => {
    throw new Error("down");
  });
  const submissionId = await ask(agent, "w1");
  await expect.poll(() => agent.listNotifications()).toMatchObject([{ attempts: 1 }]);
  await agent.deleteSubmission(submissionId);
  answerWith(name, () => {});
  await drain(agent);
  expect(sentBy(name).at(-1)?.event.payload).toEqual({
    submissionId,
    status: "error",
    error: "The submission was deleted, and its output with it.",
  });
});
