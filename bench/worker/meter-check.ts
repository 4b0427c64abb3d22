/**
 * Proves the meter on a plain object: a sequence whose rows are known by hand, with cursors read whole, read
 * in part, read late and not read at all. The benchmark refuses to run when a number is not as expected.
 */
import { DurableObject } from "cloudflare:workers";
import { meterStorage, type Counts, type Meter } from "./meter.ts";

export interface MeterCheckResult {
  step: string;
  expected: Partial<Counts>;
  actual: Counts;
}

export class MeterCheck extends DurableObject {
  readonly #meter: Meter;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    const meter = meterStorage(ctx);
    super(ctx, env);
    this.#meter = meter;
  }

  /** The runtime refuses `setAlarm` without one. */
  override alarm(): void {}

  async check(): Promise<MeterCheckResult[]> {
    const { storage } = this.ctx;
    const { sql } = storage;
    const results: MeterCheckResult[] = [];
    const step = async (name: string, expected: Partial<Counts>, run: () => unknown): Promise<void> => {
      this.#meter.reset();
      await run();
      results.push({ step: name, expected, actual: this.#meter.read() });
    };

    sql.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, state TEXT)");
    sql.exec("CREATE INDEX t_name ON t (name)");
    await step("ten inserts into a table with one index", { statements: 10, rowsWritten: 20, billed: 20 }, () => {
      for (let id = 1; id <= 10; id++) sql.exec("INSERT INTO t VALUES (?, ?, 'new')", id, `n${id}`);
    });
    await step("a whole scan", { statements: 1, rowsRead: 10, rowsWritten: 0 }, () =>
      sql.exec("SELECT * FROM t").toArray(),
    );
    await step("a raw scan", { statements: 1, rowsRead: 10 }, () => [...sql.exec("SELECT id FROM t").raw()]);
    await step("a cursor read after an await, used up", { statements: 1, rowsRead: 10 }, async () => {
      const cursor = sql.exec("SELECT * FROM t");
      await scheduler.wait(1);
      cursor.toArray();
    });
    await step("a row by its key", { statements: 1, rowsRead: 1 }, () =>
      sql.exec("SELECT * FROM t WHERE id = 3").one(),
    );
    await step("an update outside the index", { statements: 1, rowsWritten: 10, billed: 10 }, () =>
      sql.exec("UPDATE t SET state = 'old'"),
    );
    await step("a delete, index entry included", { statements: 1, rowsWritten: 1 }, () =>
      sql.exec("DELETE FROM t WHERE id = 1"),
    );
    await step("the same statement twice, both cursors kept", { statements: 2, rowsRead: 18 }, () => {
      const first = sql.exec("SELECT id, name FROM t").toArray();
      const second = sql.exec("SELECT id, name FROM t").toArray();
      return [first, second];
    });
    await step(
      "key-value calls of every form",
      { statements: 0, kvWrites: 10, rowsWritten: 0, billed: 10 },
      async () => {
        await storage.put("a", 1);
        await storage.put({ b: 1, c: 2 });
        await storage.delete("a");
        await storage.delete(["b", "c"]);
        storage.kv.put("d", 1);
        storage.kv.delete("d");
        await storage.transaction(async (txn) => {
          await txn.put("e", 1);
          await txn.delete("e");
        });
      },
    );
    await step("alarms", { alarmsSet: 2, alarmsDeleted: 1, billed: 2 }, async () => {
      await storage.setAlarm(Date.now() + 3_600_000);
      await storage.setAlarm(Date.now() + 7_200_000);
      await storage.deleteAlarm();
    });
    await step("inside transactionSync", { statements: 1, rowsWritten: 2, billed: 2 }, () =>
      storage.transactionSync(() => sql.exec("INSERT INTO t VALUES (99, 'x', 'new')")),
    );
    return results;
  }
}
