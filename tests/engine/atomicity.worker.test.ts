import { expect, test } from "vitest";
import { drizzle } from "drizzle-orm/durable-sqlite";
import { type AgentClient, freshAgent, inside } from "../support/agents.ts";
import { allEventTypes, modelCalled, transcript } from "../support/observe.ts";
import { dump, sql } from "../support/raw-log.ts";
import { heldReply } from "../support/scripts.ts";
import { modelCallsOf, setUp, userMessage } from "../support/test-agent.ts";

const TABLES = [
  "thinklog_events",
  "thinklog_streams",
  "thinklog_payloads",
  "thinklog_submissions",
  "thinklog_queue",
  "cf_agents_session_messages",
];

const everything = (agent: AgentClient): Promise<string[][]> => Promise.all(TABLES.map((table) => dump(agent, table)));

/** Make every write of this kind to a table fail, as a fault in its projector would. */
const trap = (table: string, write: "INSERT" | "UPDATE" | "DELETE"): string =>
  `CREATE TRIGGER test_trap BEFORE ${write} ON ${table} BEGIN SELECT RAISE(ABORT, 'the projector failed'); END`;

test.for(["thinklog_queue", "thinklog_submissions", "thinklog_payloads", "thinklog_streams"])(
  "FR-40: when writing %s fails at a submit, neither the event nor any projection is there",
  async (table) => {
    const { agent } = await freshAgent("atomicity");
    await agent.submitMessages([userMessage("before")], { submissionId: "s0" });
    await agent.waitForSubmission("s0");
    const before = await everything(agent);

    await sql(agent, trap(table, "INSERT"));
    const refused = inside(agent, (instance) => instance.submitMessages([userMessage("Hi")], { submissionId: "s1" }));
    await expect(refused).rejects.toThrow(/projector failed|Failed query/);
    expect(await everything(agent)).toEqual(before);
    expect(await agent.inspectSubmission("s1")).toBeNull();

    await sql(agent, "DROP TRIGGER test_trap");
    expect(await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" })).toMatchObject({ accepted: true });
    expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
    expect(await agent.verifyLog()).toMatchObject({ ok: true });
    expect((await agent.rebuildProjections()).every(({ differences }) => differences === 0)).toBe(true);
  },
);

test("FR-40: when the ledger cannot be written at a cancel, the cancellation did not happen", async () => {
  const { name, agent } = await freshAgent("atomicity");
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);
  const before = await everything(agent);
  await sql(agent, trap("thinklog_submissions", "UPDATE"));
  const refused = inside(agent, (instance) => instance.cancelSubmission("s1", "stop"));
  await expect(refused).rejects.toThrow(/projector failed|Failed query/);
  expect(await everything(agent)).toEqual(before);
  expect(await agent.inspectSubmission("s1")).toMatchObject({ status: "running" });

  await sql(agent, "DROP TRIGGER test_trap");
  held.open();
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
});

test("FR-40: when one of many cannot be skipped, a reset resets nothing", async () => {
  const { name, agent } = await freshAgent("atomicity");
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("A")], { submissionId: "a" });
  await modelCalled(name, 1);
  await agent.submitMessages([userMessage("B")], { submissionId: "b" });
  await agent.submitMessages([userMessage("C")], { submissionId: "c" });
  await sql(
    agent,
    `CREATE TRIGGER test_trap BEFORE UPDATE ON thinklog_submissions WHEN NEW.submission_id = 'c'
     BEGIN SELECT RAISE(ABORT, 'the projector failed'); END`,
  );
  const refused = inside(agent, (instance) => instance.reset());
  await expect(refused).rejects.toThrow(/projector failed|Failed query/);
  expect(await allEventTypes(agent)).not.toContain("LaneReset");
  await sql(agent, "DROP TRIGGER test_trap");
  held.open();
  expect(await agent.waitForSubmission("c")).toMatchObject({ status: "completed" });
  expect((await transcript(agent)).filter((line) => line.startsWith("user"))).toEqual([
    "user: A",
    "user: B",
    "user: C",
  ]);
});

test("FR-40 S-26: when one of its messages cannot be stored, none is, the turn ends with the reason, and the next runs", async () => {
  const { name, agent } = await freshAgent("atomicity");
  await agent.getMessages();
  await sql(
    agent,
    `CREATE TRIGGER test_trap BEFORE INSERT ON cf_agents_session_messages WHEN NEW.id = 'm2'
     BEGIN SELECT RAISE(ABORT, 'the message does not fit'); END`,
  );
  await agent.submitMessages([userMessage("A1", "m1"), userMessage("A2", "m2")], { submissionId: "a" });
  await agent.submitMessages([userMessage("B")], { submissionId: "b" });
  expect(await agent.waitForSubmission("a")).toMatchObject({ status: "error", error: expect.stringContaining("fit") });
  expect(await agent.waitForSubmission("b")).toMatchObject({ status: "completed" });
  expect(await transcript(agent)).toEqual(["user: B", "assistant: Hello there"]);
  const { events } = await agent.auditLog({ submissionId: "a" });
  expect(events.map(({ type }) => type)).toEqual(["TurnSubmitted", "TurnClaimed", "TurnFailed"]);
  expect(modelCallsOf(name)).toBe(1);
});

test("FR-40: the platform does not roll back an async callback, which is why nothing in a commit awaits", async () => {
  const { agent } = await freshAgent("atomicity");
  const kept = await inside(agent, async (_, { storage }) => {
    storage.sql.exec("CREATE TABLE test_async (how TEXT)");
    const db = drizzle(storage, { logger: false });
    const write = async (how: string): Promise<never> => {
      storage.sql.exec("INSERT INTO test_async VALUES (?)", how);
      throw new Error("too late");
    };
    await Promise.resolve(storage.transactionSync(() => write("storage"))).catch(() => {});
    await Promise.resolve(db.transaction(() => write("drizzle"))).catch(() => {});
    try {
      storage.transactionSync(() => {
        storage.sql.exec("INSERT INTO test_async VALUES ('sync')");
        throw new Error("in time");
      });
    } catch {
      // That is what a synchronous callback does: it rolls back.
    }
    return storage.sql.exec<{ how: string }>("SELECT how FROM test_async").toArray();
  });
  expect(kept).toEqual([{ how: "storage" }, { how: "drizzle" }]);
});
