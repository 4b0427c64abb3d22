import { asc, sql } from "drizzle-orm";
import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import type { OutboxRow, ParkedRow } from "../projections/index.ts";
import { outbox } from "../projections/outbox/table.ts";
import { parked } from "../projections/parked/table.ts";

/** Reads of the outbox. It holds only what is to be delivered, so each may look at all of it. */
export class OutboxQueries {
  readonly #due;
  readonly #parked;

  constructor(db: Database) {
    const limit = sql.placeholder("limit");
    this.#due = db.select().from(outbox).orderBy(asc(outbox.dueAt), asc(outbox.ordinal)).limit(limit).prepare();
    this.#parked = db.select().from(parked).orderBy(asc(parked.ordinal)).limit(limit).prepare();
  }

  /** What is to be delivered, in the order in which it is due. */
  due(limit: number): OutboxRow[] {
    return this.#due.all({ limit });
  }

  /** What was given up, in the order in which the turns were accepted. */
  parked(limit: number): ParkedRow[] {
    return this.#parked.all({ limit });
  }
}
