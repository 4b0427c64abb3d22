import { eq, sql } from "drizzle-orm";
import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import { ThinkInputError } from "../errors.ts";
import { thinkConfig } from "./tables.ts";

const KEY = "_think_config";

/** The one JSON value that `configure()` keeps. Every read is a copy: changing it changes nothing stored. */
export class AgentConfig {
  readonly #select;
  readonly #upsert;
  /** The stored text; `null` when there is none, `undefined` when it was not read yet. */
  #text: string | null | undefined;

  constructor(db: Database) {
    const p = sql.placeholder;
    this.#select = db.select({ value: thinkConfig.value }).from(thinkConfig).where(eq(thinkConfig.key, KEY)).prepare();
    this.#upsert = db
      .insert(thinkConfig)
      .values({ key: KEY, value: p("value") })
      .onConflictDoUpdate({ target: thinkConfig.key, set: { value: sql`excluded.value` } })
      .prepare();
  }

  read(): unknown {
    this.#text ??= this.#select.get()?.value ?? null;
    return this.#text === null ? null : (JSON.parse(this.#text) as unknown);
  }

  /** @throws {ThinkInputError} when the value is not JSON. */
  write(value: unknown): void {
    const text = serialize(value);
    if (text === this.#text) return;
    this.#upsert.run({ value: text });
    this.#text = text;
  }
}

function serialize(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new ThinkInputError("not-serializable", "config", "The configuration cannot be stored as JSON", { cause });
  }
  // A function or undefined has no JSON at all.
  if (text === undefined) {
    throw new ThinkInputError("not-serializable", "config", "The configuration cannot be stored as JSON");
  }
  return text;
}
