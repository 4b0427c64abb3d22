import { drizzle } from "drizzle-orm/durable-sqlite";
import { migrate as drizzleMigrate } from "drizzle-orm/durable-sqlite/migrator";
import { expect, test } from "vitest";
import ours from "../../drizzle/migrations.js";
import { migrate, MigrationError, type Migrations } from "../../src/engine/migrate.ts";
import { type AgentClient, freshAgent, inside, restart } from "../support/agents.ts";
import { dump, sql } from "../support/raw-log.ts";
import { userMessage } from "../support/test-agent.ts";

/** Migrations after those of the library. */
const later = (...texts: string[]): Migrations => ({
  journal: { entries: texts.map((_, index) => ({ idx: 100 + index, tag: `0${100 + index}_test` })) },
  migrations: Object.fromEntries(texts.map((text, index) => [`m0${100 + index}`, text])),
});

const run = (agent: AgentClient, migrations: Migrations): Promise<void> =>
  inside(agent, (_, { storage }) => migrate(storage, migrations));

const tables = (agent: AgentClient): Promise<string[]> =>
  inside(agent, (_, { storage }) =>
    storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type IN ('table', 'trigger')")
      .toArray()
      .map(({ name }) => name),
  );

async function startedAgent(): Promise<AgentClient> {
  const { agent } = await freshAgent("migrations");
  await agent.getMessages();
  return agent;
}

test("every migration runs once in the life of an object, also over restarts", async () => {
  const agent = await startedAgent();
  const done = await dump(agent, "thinklog_migrations");
  expect(done).toHaveLength(ours.journal.entries.length);
  await restart(agent);
  await agent.getMessages();
  expect(await dump(agent, "thinklog_migrations")).toEqual(done);

  const one = later("CREATE TABLE test_notes (id TEXT)");
  await run(agent, one);
  await run(agent, one);
  expect(await tables(agent)).toContain("test_notes");
});

test("an object of an older version gets what it has not had", async () => {
  const agent = await startedAgent();
  const { idx, tag } = ours.journal.entries.at(-1) ?? { idx: -1, tag: "" };
  expect(tag).toBe("0006_scheduled_tasks");
  await sql(agent, "DROP TABLE thinklog_scheduled_tasks", `DELETE FROM thinklog_migrations WHERE idx = ${idx}`);
  await restart(agent);
  await agent.getMessages();
  expect(await tables(agent)).toContain("thinklog_scheduled_tasks");
});

test("a failing second statement names itself and its file, and leaves the old schema as it was", async () => {
  const agent = await startedAgent();
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  const ended = await agent.waitForSubmission("s1");
  const broken = later(`
    CREATE TABLE test_notes (id TEXT);
    --> statement-breakpoint
    ALTER TABLE test_nowhere ADD COLUMN x TEXT;
    --> statement-breakpoint
    DROP TABLE thinklog_events;
  `);
  const error = await inside(agent, (_, { storage }) => {
    try {
      migrate(storage, broken);
      return undefined;
    } catch (thrown) {
      return thrown as MigrationError;
    }
  });
  expect(error).toBeInstanceOf(MigrationError);
  expect(error).toMatchObject({ tag: "0100_test", statement: "ALTER TABLE test_nowhere ADD COLUMN x TEXT;" });
  expect(error?.message).toContain("ALTER TABLE test_nowhere");
  expect(error?.message).toContain("no such table");

  expect(await tables(agent)).not.toContain("test_notes");
  await restart(agent);
  expect(await agent.inspectSubmission("s1")).toEqual(ended);
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s2" });
  expect(await agent.waitForSubmission("s2")).toMatchObject({ status: "completed" });
});

test("those before a failing one are kept, and it is tried again", async () => {
  const agent = await startedAgent();
  const first = "CREATE TABLE test_first (id TEXT)";
  await run(agent, later(first, "CREATE TABLE")).catch(() => {});
  expect(await tables(agent)).toContain("test_first");
  await run(agent, later(first, "CREATE TABLE test_second (id TEXT)"));
  expect(await tables(agent)).toContain("test_second");
});

test("a file that is not in the build is named", async () => {
  const agent = await startedAgent();
  const { journal } = later("");
  await expect(run(agent, { journal, migrations: {} })).rejects.toThrow("0100_test");
});

test("a subclass may use Drizzle and its migrator in the same object; neither disturbs the other", async () => {
  const agent = await startedAgent();
  const theirs = {
    journal: { entries: [{ idx: 0, when: 1_700_000_000_000, tag: "0000_notes", breakpoints: true }] },
    migrations: { m0000: "CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL);" },
  };
  const migrateTheirs = (): Promise<void> =>
    inside(agent, (_, { storage }) => drizzleMigrate(drizzle(storage, { logger: false }), theirs));
  await migrateTheirs();
  await sql(agent, "INSERT INTO notes (body) VALUES ('mine')");
  const ledger = await dump(agent, "__drizzle_migrations");
  expect(ledger).toHaveLength(1);

  await restart(agent);
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
  await migrateTheirs();
  expect(await dump(agent, "__drizzle_migrations")).toEqual(ledger);
  expect(await dump(agent, "notes")).toHaveLength(1);
});
