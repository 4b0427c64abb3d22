import { eq, sql } from "drizzle-orm";
import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import { checkpoints } from "./tables.ts";

/** How far one follower of the log has come, kept across restarts. */
export class Checkpoint {
  readonly #name: string;
  readonly #select;
  readonly #upsert;
  #position: number | undefined;

  constructor(db: Database, name: string) {
    const p = sql.placeholder;
    this.#name = name;
    this.#select = db
      .select({ position: checkpoints.position })
      .from(checkpoints)
      .where(eq(checkpoints.name, name))
      .prepare();
    this.#upsert = db
      .insert(checkpoints)
      .values({ name: p("name"), position: p("position") })
      .onConflictDoUpdate({ target: checkpoints.name, set: { position: sql`excluded.position` } })
      .prepare();
  }

  /** The stored position; `undefined` when the follower is new. */
  read(): number | undefined {
    this.#position ??= this.#select.get()?.position;
    return this.#position;
  }

  /** Writes only when it moved forward. */
  save(position: number): void {
    if (position <= (this.read() ?? -1)) return;
    this.#upsert.run({ name: this.#name, position });
    this.#position = position;
  }

  /** Forget what is held in memory: a transaction with a save in it rolled back. */
  rolledBack(): void {
    this.#position = undefined;
  }
}
