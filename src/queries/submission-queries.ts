import { and, desc, eq, gte, lte, sql } from "drizzle-orm";
import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import type { QueueRow, SubmissionRow } from "../projections/index.ts";
import { queue } from "../projections/queue/table.ts";
import { submissions } from "../projections/submissions/table.ts";

/** A row of the ledger, with its row of the queue while it lives. */
export type LedgerEntry = { readonly row: SubmissionRow; readonly live: QueueRow | undefined };

type Ended = NonNullable<SubmissionRow["status"]>;
export type ListedStatus = Ended | QueueRow["status"];

/** Reads of the ledger. Each reads a bounded number of rows, however much is kept. */
export class SubmissionQueries {
  readonly #db: Database;
  readonly #newest;
  readonly #newestEnded;
  readonly #newestLive;
  readonly #oldestEnded;
  readonly #byKey;

  constructor(db: Database) {
    const p = sql.placeholder;
    this.#db = db;
    this.#newest = db.select().from(submissions).orderBy(desc(submissions.ordinal)).limit(p("limit")).prepare();
    this.#newestEnded = db
      .select()
      .from(submissions)
      .where(eq(submissions.status, p("status")))
      .orderBy(desc(submissions.ordinal))
      .limit(p("limit"))
      .prepare();
    this.#newestLive = db
      .select({ row: submissions, live: queue })
      .from(queue)
      .innerJoin(submissions, eq(submissions.ordinal, queue.ordinal))
      .where(eq(queue.status, p("status")))
      .orderBy(desc(queue.ordinal))
      .limit(p("limit"))
      .prepare();
    this.#oldestEnded = db
      .select({
        submissionId: submissions.submissionId,
        ordinal: submissions.ordinal,
        completedAt: submissions.completedAt,
      })
      .from(submissions)
      .where(and(eq(submissions.status, p("status")), sql`${submissions.completedAt} < ${p("before")}`))
      .orderBy(submissions.completedAt, submissions.ordinal)
      .limit(p("limit"))
      .prepare();
    this.#byKey = db
      .select({ submissionId: submissions.submissionId })
      .from(submissions)
      .where(eq(submissions.idempotencyKey, p("key")))
      .prepare();
  }

  /** The submission that holds an idempotency key. */
  idByKey(key: string): string | undefined {
    return this.#byKey.get({ key })?.submissionId;
  }

  /** Newest first by acceptance. */
  list(statuses: readonly ListedStatus[] | undefined, limit: number): LedgerEntry[] {
    if (statuses === undefined) return this.#withLive(this.#newest.all({ limit }));
    return statuses
      .flatMap((status) => this.#newestOf(status, limit))
      .toSorted((a, b) => b.row.ordinal - a.row.ordinal)
      .slice(0, limit);
  }

  /** Ids of ended submissions, those that ended first first. `before` is in epoch milliseconds, exclusive. */
  oldestEnded(statuses: readonly Ended[], before: number, limit: number): string[] {
    return statuses
      .flatMap((status) => this.#oldestEnded.all({ status, before, limit }))
      .toSorted((a, b) => (a.completedAt ?? 0) - (b.completedAt ?? 0) || a.ordinal - b.ordinal)
      .slice(0, limit)
      .map((row) => row.submissionId);
  }

  #newestOf(status: ListedStatus, limit: number): LedgerEntry[] {
    if (status === "pending" || status === "running") return this.#newestLive.all({ status, limit });
    return this.#newestEnded.all({ status, limit }).map((row) => ({ row, live: undefined }));
  }

  /** The queue rows of those that live, in one range read. */
  #withLive(rows: SubmissionRow[]): LedgerEntry[] {
    const living = rows.filter((row) => row.status === null).map((row) => row.ordinal);
    const live = new Map(this.#liveBetween(living).map((row) => [row.ordinal, row]));
    return rows.map((row) => ({ row, live: live.get(row.ordinal) }));
  }

  #liveBetween(ordinals: readonly number[]): QueueRow[] {
    const [first, last] = [ordinals.at(-1), ordinals[0]];
    if (first === undefined || last === undefined) return [];
    return this.#db
      .select()
      .from(queue)
      .where(and(gte(queue.ordinal, first), lte(queue.ordinal, last)))
      .all();
  }
}
