import { drizzle } from "drizzle-orm/durable-sqlite";
import type { Append } from "../../src/events/index.ts";
import { type AppendContext, EventLog, PayloadStore } from "../../src/log/index.ts";
import { type AgentClient, freshAgent, inside } from "./agents.ts";

/** A log and its payloads on the storage of a real object, in the way the engine opens them. */
export type RawLog = {
  readonly storage: DurableObjectStorage;
  readonly log: EventLog;
  readonly payloads: PayloadStore;
  /** Append in a transaction of its own, as the engine does. */
  readonly append: (...appends: Append[]) => ReturnType<EventLog["append"]>;
};

export const CONTEXT: AppendContext = { at: 1_700_000_000_000, actor: "test", causationId: "test:1" };

/** Use the log of a fresh object that never runs a turn. */
export async function withLog<R>(use: (raw: RawLog) => R | Promise<R>): Promise<R> {
  const { agent } = await freshAgent("log");
  await agent.getMessages();
  return inside(agent, (_, { storage }) => use(openLog(storage)));
}

export function openLog(storage: DurableObjectStorage): RawLog {
  const db = drizzle(storage, { logger: false });
  const log = new EventLog(storage, db);
  const append = (...appends: Append[]) => {
    try {
      return storage.transactionSync(() => log.append(appends, CONTEXT));
    } catch (error) {
      log.rolledBack();
      throw error;
    }
  };
  return { storage, log, payloads: new PayloadStore(db), append };
}

/** Whoever wants to change the past drops these first. */
export const dropTriggers = (storage: DurableObjectStorage): void => {
  storage.sql.exec("DROP TRIGGER thinklog_events_no_update");
  storage.sql.exec("DROP TRIGGER thinklog_events_no_delete");
};

/** Run SQL on an object's storage by hand. */
export const sql = (agent: AgentClient, ...statements: string[]): Promise<void> =>
  inside(agent, (_, { storage }) => {
    for (const statement of statements) storage.sql.exec(statement);
  });

/** Sorted rows of a table: equal dumps, equal tables. */
export const dump = (agent: AgentClient, table: string): Promise<string[]> =>
  inside(agent, (_, { storage }) =>
    storage.sql
      .exec(`SELECT * FROM ${table}`)
      .toArray()
      .map((row) => JSON.stringify(row))
      .toSorted((a, b) => a.localeCompare(b)),
  );
