import { expect, test } from "vitest";
import { streamError, text } from "../../src/testing/index.ts";
import { type AgentClient, alarmOf, drain, freshAgent, inside, restart } from "../support/agents.ts";
import { allEventTypes, modelCalled } from "../support/observe.ts";
import { dump, sql } from "../support/raw-log.ts";
import { heldReply } from "../support/scripts.ts";
import { publishedBy } from "../support/telemetry.ts";
import { modelCallsOf, setUp, userMessage } from "../support/test-agent.ts";

const READ_MODELS = [
  "thinklog_submissions",
  "thinklog_queue",
  "thinklog_outbox",
  "thinklog_parked",
  "thinklog_tombstones",
  "thinklog_workflow_requests",
  "thinklog_scheduled_tasks",
];
const CONVERSATION = "cf_agents_session_messages";

const dumps = (agent: AgentClient): Promise<string[][]> =>
  Promise.all([...READ_MODELS, CONVERSATION].map((table) => dump(agent, table)));

/** One of everything: completed, failed, cancelled, deleted with and without a tombstone, running and waiting. */
async function eventfulAgent() {
  const { name, agent } = await freshAgent("rebuild");
  const heard: string[] = [];
  setUp(name, { statusHook: ({ submissionId, status }) => void heard.push(`${submissionId} ${status}`) });
  const done = async (submissionId: string, options = {}): Promise<void> => {
    await agent.submitMessages([userMessage(submissionId)], { submissionId, ...options });
    await agent.waitForSubmission(submissionId);
  };
  await done("completed", { metadata: { a: 1 }, idempotencyKey: "kept" });
  await done("deleted", { idempotencyKey: "free" });
  await agent.deleteSubmission("deleted");
  await done("entombed", { idempotencyKey: "entombed" });
  await inside(agent, async (instance) => {
    instance.idempotencyRetention = "forever";
    await instance.deleteSubmission("entombed");
  });
  setUp(name, { script: () => streamError("provider down") });
  await done("failed");
  setUp(name, { script: () => text("fine") });
  await done("also-completed");
  return { name, agent, heard };
}

test("FR-43: a rebuild calls no model, no hook, no alarm, publishes nothing and adds no event", async () => {
  const { name, agent, heard } = await eventfulAgent();
  await drain(agent);
  const before = {
    events: await allEventTypes(agent),
    calls: modelCallsOf(name),
    heard: [...heard],
    published: publishedBy(name).length,
    alarm: await alarmOf(agent),
    rows: await dumps(agent),
  };
  const rebuilt = await agent.rebuildProjections();
  await drain(agent);

  expect(rebuilt).toMatchObject(
    ["submissions", "queue", "outbox", "parked", "tombstones", "workflow-requests", "scheduled-tasks"].map(
      (projection) => ({
        name: projection,
        differences: 0,
      }),
    ),
  );
  expect({
    events: await allEventTypes(agent),
    calls: modelCallsOf(name),
    heard,
    published: publishedBy(name).length,
    alarm: await alarmOf(agent),
    rows: await dumps(agent),
  }).toEqual(before);
});

test("FR-43: neither does one that repairs, and one event each says what was repaired", async () => {
  const { name, agent, heard } = await eventfulAgent();
  await drain(agent);
  const before = { calls: modelCallsOf(name), heard: [...heard], rows: await dumps(agent) };
  await sql(agent, "DELETE FROM thinklog_submissions");
  const rebuilt = await agent.rebuildProjections();
  await restart(agent);
  await agent.inspectSubmission("completed");
  await drain(agent);

  expect(rebuilt.find(({ name: projection }) => projection === "submissions")).toMatchObject({ differences: 3 });
  expect({ calls: modelCallsOf(name), heard, rows: await dumps(agent) }).toEqual(before);
  const { events } = await agent.auditLog({ types: ["ProjectionRebuilt"] });
  expect(events.map(({ data }) => data)).toMatchObject([{ name: "submissions", differences: 3 }]);
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
});

test("FR-44: bogus rows go and deleted rows come back: all read models are as they were built live", async () => {
  const { agent } = await eventfulAgent();
  const live = await dumps(agent);
  await sql(
    agent,
    "INSERT INTO thinklog_submissions (ordinal, submission_id, created_at) VALUES (9999, 'ghost', 1)",
    "DELETE FROM thinklog_submissions WHERE submission_id = 'completed'",
    "UPDATE thinklog_submissions SET status = 'completed', error = NULL WHERE submission_id = 'failed'",
    `INSERT INTO thinklog_queue (ordinal, turn_id, "trigger", generation, status, attempt, epoch, applied)
       VALUES (9999, 'ghost', 'submission', 0, 'pending', 0, 0, 0)`,
    `INSERT INTO thinklog_outbox (notification_id, turn_id, ordinal, workflow_name, workflow_id, event_type, attempts, due_at)
       VALUES ('ghost', 'ghost', 1, 'W', 'w', 'e', 0, 0)`,
    "DELETE FROM thinklog_tombstones",
    "INSERT INTO thinklog_workflow_requests (workflow_id, workflow_name) VALUES ('ghost', 'W')",
    "INSERT INTO thinklog_scheduled_tasks (task_id, starts) VALUES ('ghost', 0)",
  );
  const rebuilt = await agent.rebuildProjections();
  expect(rebuilt.map(({ name, differences }) => [name, differences])).toEqual([
    ["submissions", 3],
    ["queue", 1],
    ["outbox", 1],
    ["parked", 0],
    ["tombstones", 1],
    ["workflow-requests", 1],
    ["scheduled-tasks", 1],
  ]);
  expect(await dumps(agent)).toEqual(live);
  expect(await agent.inspectSubmission("ghost")).toBeNull();
});

test("FR-44: a bogus row that holds the key of a real one does not stand in its way", async () => {
  const { agent } = await eventfulAgent();
  const live = await dumps(agent);
  await sql(
    agent,
    "DELETE FROM thinklog_submissions WHERE idempotency_key = 'kept'",
    "INSERT INTO thinklog_submissions (ordinal, submission_id, created_at, idempotency_key) VALUES (0, 'ghost', 1, 'kept')",
  );
  await agent.rebuildProjections();
  expect(await dumps(agent)).toEqual(live);
});

test("FR-44: with turns running and waiting the queue is rebuilt too, and they go on", async () => {
  const { name, agent } = await freshAgent("rebuild");
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("A")], { submissionId: "a" });
  await modelCalled(name, 1);
  await agent.submitMessages([userMessage("B")], { submissionId: "b" });
  const live = await dumps(agent);
  await sql(agent, "DELETE FROM thinklog_queue");
  await agent.rebuildProjections();
  expect(await dumps(agent)).toEqual(live);
  held.open();
  expect(await agent.waitForSubmission("b")).toMatchObject({ status: "completed" });
  expect(modelCallsOf(name)).toBe(2);
});

test("FR-41: a rebuild of more rows than a statement has parameters gives what was there", async () => {
  const { agent } = await freshAgent("rebuild");
  await agent.getMessages();
  await inside(agent, async (instance) => {
    for (let n = 0; n < 250; n += 1) {
      await instance.submitMessages([userMessage("Hi")], { submissionId: `s${n}`, idempotencyKey: `k${n}` });
    }
    instance.reset();
  });
  const live = await dumps(agent);
  await sql(agent, "DELETE FROM thinklog_submissions");
  const rebuilt = await agent.rebuildProjections();
  expect(rebuilt[0]).toMatchObject({ name: "submissions", differences: 250 });
  expect(await dumps(agent)).toEqual(live);
});

test("M7: a reason that ends in half a character is one and the same in the log, the ledger and the receipt", async () => {
  const { name, agent } = await freshAgent("rebuild");
  setUp(name, heldReply());
  await agent.submitMessages([userMessage("A")], { submissionId: "a" });
  const cancelled = await inside(agent, (instance) => instance.cancelSubmission("a", "cut \ud83d"));
  expect(cancelled).toMatchObject({ submission: { error: "cut \ufffd" } });
  expect((await agent.rebuildProjections()).filter(({ differences }) => differences > 0)).toEqual([]);
});
