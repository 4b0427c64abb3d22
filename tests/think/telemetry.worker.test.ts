import { expect, test } from "vitest";
import { streamError } from "../../src/testing/index.ts";
import { drain, freshAgent, inside, restart } from "../support/agents.ts";
import { modelCalled } from "../support/observe.ts";
import { heldReply } from "../support/scripts.ts";
import { publishedBy } from "../support/telemetry.ts";
import { setUp, userMessage } from "../support/test-agent.ts";

/** The published events as `type status`, without those of other concerns. */
const trail = (name: string, submissionId: string): string[] =>
  publishedBy(name)
    .filter(({ payload }) => payload["requestId"] === submissionId)
    .map(({ type, payload }) => (typeof payload["status"] === "string" ? `${type} ${payload["status"]}` : type));

test("S-45 S-46 O-1 O-3: a submission publishes its acceptance, its statuses and its turn, in this order", async () => {
  const { name, agent } = await freshAgent();
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1", idempotencyKey: "k" });
  await agent.waitForSubmission("s1");
  expect(trail(name, "s1")).toEqual([
    "submission:create",
    "submission:status pending",
    "submission:status running",
    "chat:turn:start",
    "chat:turn:finish completed",
    "submission:status completed",
  ]);
  const created = publishedBy(name).find(({ type }) => type === "submission:create");
  expect(created?.payload).toEqual({ submissionId: "s1", requestId: "s1", idempotencyKey: "k" });
});

test("S-45 O-3: an error is published after the status, with its text", async () => {
  const { name, agent } = await freshAgent();
  setUp(name, { script: () => streamError("provider down") });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await agent.waitForSubmission("s1");
  expect(trail(name, "s1").slice(-3)).toEqual([
    "chat:turn:finish error",
    "submission:status error",
    "submission:error",
  ]);
  const errors = publishedBy(name).filter(({ type }) => type === "submission:error");
  expect(errors.map(({ payload }) => payload)).toEqual([
    { submissionId: "s1", requestId: "s1", error: "provider down" },
  ]);
});

test("S-45: a cancelled submission publishes aborted once, and its reason", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);
  await agent.cancelSubmission("s1", "stop");
  held.open();
  await drain(agent);
  const types = trail(name, "s1");
  expect(types.filter((type) => type === "submission:status aborted")).toHaveLength(1);
  expect(types.filter((type) => type.startsWith("chat:turn:finish"))).toEqual(["chat:turn:finish aborted"]);
  expect(publishedBy(name).find(({ type }) => type === "submission:error")?.payload).toMatchObject({ error: "stop" });
});

test("S-46 O-2: the turn is one of a submission, admitted through the queue, and says nothing of the channel", async () => {
  const { name, agent } = await freshAgent();
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1", channel: "telegram" });
  await agent.waitForSubmission("s1");
  const turn = publishedBy(name).filter(({ type }) => type.startsWith("chat:turn:"));
  expect(turn.map(({ payload }) => payload)).toMatchObject([
    { requestId: "s1", trigger: "submission", admission: "queue" },
    { requestId: "s1", trigger: "submission", admission: "queue", status: "completed", durationMs: expect.any(Number) },
  ]);
  expect(JSON.stringify(turn)).not.toContain("telegram");
});

test("O-1: acceptance alone, a retry, and a submission that never ran publish no turn", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("A")], { submissionId: "a" });
  await modelCalled(name, 1);
  const message = userMessage("B");
  await agent.submitMessages([message], { submissionId: "b" });
  await agent.submitMessages([message], { submissionId: "b" });
  await inside(agent, (instance) => instance.reset());
  held.open();
  await drain(agent);
  expect(trail(name, "b")).toEqual([
    "submission:create",
    "submission:status pending",
    "submission:status skipped",
    "submission:error",
  ]);
});

test("S-45: a rebuild and a restart publish nothing", async () => {
  const { name, agent } = await freshAgent();
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await agent.waitForSubmission("s1");
  const before = publishedBy(name).length;
  await agent.rebuildProjections();
  await restart(agent);
  await agent.inspectSubmission("s1");
  expect(publishedBy(name).filter(({ payload }) => payload["submissionId"] === "s1")).toHaveLength(
    publishedBy(name)
      .slice(0, before)
      .filter(({ payload }) => payload["submissionId"] === "s1").length,
  );
});

test("S-45: a blocking turn publishes its turn and no submission", async () => {
  const { name, agent } = await freshAgent();
  const { requestId } = await agent.saveMessages([userMessage("Hi")]);
  expect(trail(name, requestId)).toEqual(["chat:turn:start", "chat:turn:finish completed"]);
});
