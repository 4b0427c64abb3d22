import { asc, eq, sql } from "drizzle-orm";
import { sha256 } from "./chain.ts";
import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import { payloads } from "./tables.ts";

/**
 * UTF-16 units in one row: at three UTF-8 bytes each still well below the 2.2 MB a whole row may have.
 */
const PART_UNITS = 500_000;

const commit = (salt: string, content: string): string => sha256(`${salt}\n${content}`);

/** Content that has a digest, but is not stored yet. */
export type PreparedPayload = { readonly digest: string; readonly write: () => void };

/** Content of any size, named by a salted digest. */
export class PayloadStore {
  readonly #insert;
  readonly #parts;
  readonly #remove;

  constructor(db: Database) {
    const p = sql.placeholder;
    this.#insert = db
      .insert(payloads)
      .values({ digest: p("digest"), part: p("part"), salt: p("salt"), content: p("content") })
      .prepare();
    this.#parts = db
      .select({ salt: payloads.salt, content: payloads.content })
      .from(payloads)
      .where(eq(payloads.digest, p("digest")))
      .orderBy(asc(payloads.part))
      .prepare();
    this.#remove = db
      .delete(payloads)
      .where(eq(payloads.digest, p("digest")))
      .prepare();
  }

  /** Name content under a fresh salt. Its `write` belongs in the transaction that records the digest. */
  prepare(content: string, salt: string): PreparedPayload {
    const digest = commit(salt, content);
    const write = (): void =>
      split(content).forEach((part, index) => this.#insert.run({ digest, part: index, salt, content: part }));
    return { digest, write };
  }

  /** The content, or `undefined` once it is erased. */
  get(digest: string): string | undefined {
    const parts = this.#parts.all({ digest });
    return parts.length === 0 ? undefined : parts.map((part) => part.content).join("");
  }

  /** Do the stored parts still hash to their digest? An erased payload does. */
  intact(digest: string): boolean {
    const parts = this.#parts.all({ digest });
    const [first] = parts;
    return first === undefined || commit(first.salt, parts.map((part) => part.content).join("")) === digest;
  }

  /** Erase the content; the digest in the log stays. */
  remove(digest: string): void {
    this.#remove.run({ digest });
  }
}

/** Cut at a fixed length, but never through a surrogate pair: a lone half would come back as U+FFFD. */
function split(content: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (content.length - start > PART_UNITS) {
    let end = start + PART_UNITS;
    if ((content.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    parts.push(content.slice(start, end));
    start = end;
  }
  return [...parts, content.slice(start)];
}
