import { asc } from "drizzle-orm";
import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import type { QueueRow } from "../projections/index.ts";
import { queue } from "../projections/queue/table.ts";

/** Reads of the lane. */
export class QueueQueries {
  readonly #first;
  readonly #all;

  constructor(db: Database) {
    // One turn runs at a time, and it was the head when it was claimed: two rows tell all about the head.
    this.#first = db.select().from(queue).orderBy(asc(queue.ordinal)).limit(2).prepare();
    this.#all = db.select().from(queue).orderBy(asc(queue.ordinal)).prepare();
  }

  /** The running turn, if any, and the head of those that wait. */
  head(): { running: QueueRow | undefined; next: QueueRow | undefined } {
    const rows = this.#first.all();
    return {
      running: rows.find((row) => row.status === "running"),
      next: rows.find((row) => row.status === "pending"),
    };
  }

  /** Every turn that has not ended, in order. */
  all(): QueueRow[] {
    return this.#all.all();
  }
}
