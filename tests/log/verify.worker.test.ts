import { expect, test } from "vitest";
import { type AgentClient, freshAgent, inside, restart } from "../support/agents.ts";
import { dropTriggers, dump } from "../support/raw-log.ts";
import { userMessage } from "../support/test-agent.ts";

/** An object with two completed submissions: ten events. */
async function someHistory(): Promise<AgentClient> {
  const { agent } = await freshAgent("verify");
  for (const submissionId of ["s1", "s2"]) {
    await agent.submitMessages([userMessage("Hi")], { submissionId, metadata: { a: 1 } });
    await agent.waitForSubmission(submissionId);
  }
  expect(await agent.verifyLog()).toMatchObject({ ok: true, events: 10 });
  return agent;
}

const tamper = (agent: AgentClient, ...statements: string[]): Promise<void> =>
  inside(agent, (_, { storage }) => {
    dropTriggers(storage);
    for (const statement of statements) storage.sql.exec(statement);
  });

const COLUMNS = {
  stream: "'turn/other'",
  version: "version + 1",
  ordinal: "ordinal + 1",
  previous: "coalesce(previous, 0) + 1",
  type: "'TurnCompleted'",
  schema_version: "2",
  at: "at + 1",
  actor: "'somebody'",
  correlation_id: "'other'",
  causation_id: "'other'",
  data: `'{"attempt":9,"epoch":9}'`,
  hash: "'forged'",
};

test.for(Object.entries(COLUMNS))("a changed %s is found at its position", async ([column, value]) => {
  const agent = await someHistory();
  await tamper(agent, `UPDATE thinklog_events SET ${column} = ${value} WHERE position = 4`);
  expect(await agent.verifyLog()).toMatchObject({ ok: false, events: 3, firstDivergence: { position: 4 } });
});

test("a removed event is found where it is missing", async () => {
  const agent = await someHistory();
  await tamper(agent, "DELETE FROM thinklog_events WHERE position = 5");
  expect(await agent.verifyLog()).toMatchObject({
    ok: false,
    firstDivergence: { position: 6, reason: "event 5 is missing" },
  });
});

test("a removed event with the later ones moved up is found", async () => {
  const agent = await someHistory();
  await tamper(
    agent,
    "DELETE FROM thinklog_events WHERE position = 5",
    "UPDATE thinklog_events SET position = -(position - 1) WHERE position > 5",
    "UPDATE thinklog_events SET position = -position WHERE position < 0",
  );
  expect(await agent.verifyLog()).toMatchObject({ ok: false, firstDivergence: { position: 5 } });
});

test("two events that changed places are found", async () => {
  const agent = await someHistory();
  await tamper(
    agent,
    "UPDATE thinklog_events SET position = -1 WHERE position = 3",
    "UPDATE thinklog_events SET position = 3 WHERE position = 4",
    "UPDATE thinklog_events SET position = 4 WHERE position = -1",
  );
  expect(await agent.verifyLog()).toMatchObject({ ok: false, firstDivergence: { position: 3 } });
});

test("an inserted event is found", async () => {
  const agent = await someHistory();
  await tamper(
    agent,
    `INSERT INTO thinklog_events SELECT 11, stream, version + 1, ordinal, position, type, schema_version, at, actor,
       correlation_id, causation_id, data, hash FROM thinklog_events WHERE position = 10`,
  );
  expect(await agent.verifyLog()).toMatchObject({ ok: false, firstDivergence: { position: 11 } });
});

test("a removed newest event is found, also after a restart", async () => {
  const agent = await someHistory();
  await tamper(agent, "DELETE FROM thinklog_events WHERE position >= 9");
  await restart(agent);
  expect(await agent.verifyLog()).toMatchObject({
    ok: false,
    events: 8,
    firstDivergence: { position: 9, reason: "event 9 is missing" },
  });
});

test.for(["content", "salt"])("a changed payload %s is found at the event that names it", async (column) => {
  const agent = await someHistory();
  await tamper(agent, `UPDATE thinklog_payloads SET ${column} = ${column} || ' ' WHERE content LIKE '%Hi%'`);
  const { ok, firstDivergence } = await agent.verifyLog();
  expect(ok).toBe(false);
  expect(firstDivergence).toMatchObject({ position: 1, reason: expect.stringMatching(/^the content of payload/) });
});

test("a changed hash chain that is consistent in itself has another head", async () => {
  const agent = await someHistory();
  const { head } = await agent.verifyLog();
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s3" });
  await agent.waitForSubmission("s3");
  const after = await agent.verifyLog();
  expect(after).toMatchObject({ ok: true, events: 15 });
  expect(after.head).not.toBe(head);
});

test("a log of more than one chunk is verified to its end", async () => {
  const { agent } = await freshAgent("verify");
  await agent.getMessages();
  await inside(agent, async (instance) => {
    for (let n = 0; n < 600; n += 1) instance.reset();
  });
  expect(await agent.verifyLog()).toMatchObject({ ok: true, events: 600 });
  await tamper(agent, "UPDATE thinklog_events SET actor = 'somebody' WHERE position = 555");
  expect(await agent.verifyLog()).toMatchObject({ ok: false, events: 554, firstDivergence: { position: 555 } });
});

test("an empty log is whole", async () => {
  const { agent } = await freshAgent("verify");
  expect(await agent.verifyLog()).toMatchObject({ ok: true, events: 0 });
});

test.for([
  "DELETE FROM thinklog_streams WHERE stream = 'turn/s1'",
  "UPDATE thinklog_streams SET version = version - 1 WHERE stream = 'turn/s1'",
  "UPDATE thinklog_streams SET ordinal = ordinal + 1 WHERE stream = 'turn/s1'",
  "UPDATE thinklog_streams SET head = 1 WHERE stream = 'turn/s1'",
  "INSERT INTO thinklog_streams (stream, version, ordinal, head) VALUES ('turn/ghost', 1, 1, 1)",
])("M8: a wrong head of a stream is found, and a rebuild puts it right: %s", async (statement) => {
  const agent = await someHistory();
  const before = await dump(agent, "thinklog_streams");
  await tamper(agent, statement);
  await restart(agent);
  expect(await agent.verifyLog()).toMatchObject({
    ok: false,
    firstDivergence: { reason: expect.stringMatching(/^the head of stream/) },
  });
  expect((await agent.rebuildProjections()).at(-1)).toMatchObject({ name: "streams", differences: 1 });
  const after = await dump(agent, "thinklog_streams");
  expect(after.filter((row) => !row.includes('"projections"'))).toEqual(before);
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
  expect(await agent.inspectSubmission("s1")).toMatchObject({ status: "completed" });
  expect(await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" })).toMatchObject({ accepted: false });
});
