import { asc, desc, eq, gt, max, sql } from "drizzle-orm";
import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import { events, streams } from "./tables.ts";

/** The hot statements, prepared once: built for each call they cost several times as much. */
export function prepareStatements(db: Database) {
  const p = sql.placeholder;
  return {
    head: db
      .select({ position: events.position, hash: events.hash })
      .from(events)
      .orderBy(desc(events.position))
      .limit(1)
      .prepare(),
    insertEvent: db
      .insert(events)
      .values({
        position: p("position"),
        stream: p("stream"),
        version: p("version"),
        ordinal: p("ordinal"),
        previous: p("previous"),
        type: p("type"),
        schemaVersion: p("schemaVersion"),
        at: p("at"),
        actor: p("actor"),
        correlationId: p("correlationId"),
        causationId: p("causationId"),
        data: p("data"),
        hash: p("hash"),
      })
      .prepare(),
    stream: db
      .select()
      .from(streams)
      .where(eq(streams.stream, p("stream")))
      .prepare(),
    newestHead: db
      .select({ position: max(streams.head) })
      .from(streams)
      .prepare(),
    allStreams: db.select().from(streams).prepare(),
    removeStream: db
      .delete(streams)
      .where(eq(streams.stream, p("stream")))
      .prepare(),
    insertStream: db
      .insert(streams)
      .values({ stream: p("stream"), version: p("version"), ordinal: p("ordinal"), head: p("head") })
      .prepare(),
    updateStream: db
      .update(streams)
      .set({ version: sql`${p("version")}`, ordinal: sql`${p("ordinal")}`, head: sql`${p("head")}` })
      .where(eq(streams.stream, p("stream")))
      .prepare(),
    eventAt: db
      .select()
      .from(events)
      .where(eq(events.position, p("position")))
      .prepare(),
    eventsAfter: db
      .select()
      .from(events)
      .where(gt(events.position, p("after")))
      .orderBy(asc(events.position))
      .limit(p("limit"))
      .prepare(),
  };
}

export type Statements = ReturnType<typeof prepareStatements>;
