import type { Session, SessionChangeEvent } from "agents/sessions";
import { eq, sql } from "drizzle-orm";
import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import { ThinkInputError } from "../errors.ts";
import { activeLeaf } from "./tables.ts";

/**
 * The leaf that somebody chose for a session. Without one the newest row is the leaf, as `agents/sessions` has
 * it. The choice names the newest row of its time, so a row that was stored after it always wins, also when
 * the object stopped between the two.
 */
export class ActiveLeaf {
  readonly #session: Session;
  readonly #statements: ReturnType<typeof statements>;
  #chosen: { readonly leafId: string; readonly tailId: string } | undefined;

  constructor(db: Database, session: Session) {
    this.#session = session;
    this.#statements = statements(db);
  }

  get id(): string | undefined {
    return this.#chosen?.leafId;
  }

  /** Take up the stored choice, if it still holds. */
  async load(): Promise<void> {
    const stored = this.#statements.select.get(this.#key());
    if (!stored) return;
    const tail = await this.#session.getLatestLeaf();
    if (tail?.id === stored.tailId && (await this.#session.getMessage(stored.leafId))) this.#chosen = stored;
    else this.#forget();
  }

  /** @throws {ThinkInputError} when the session has no such message. */
  async choose(messageId: string | null): Promise<void> {
    if (messageId === null) {
      if (this.#chosen) this.#forget();
      return;
    }
    if ((await this.#session.getMessage(messageId)) === null) {
      const message = `setActiveLeaf: message "${messageId}" does not exist in this session`;
      throw new ThinkInputError("unknown-message", "messageId", message);
    }
    await this.#keep(messageId);
  }

  /** Follow a write to the session. */
  async follow(event: SessionChangeEvent): Promise<void> {
    if (!this.#chosen || event.sessionId !== this.#session.sessionId) return;
    switch (event.type) {
      case "append":
        if (event.inserted) this.#forget();
        return;
      case "import":
      case "clear":
        this.#forget();
        return;
      case "delete":
        if (event.messageIds.includes(this.#chosen.leafId)) this.#forget();
        else await this.#keep(this.#chosen.leafId);
        return;
      case "update":
      case "compact":
      case "compaction":
        return;
      default:
        event satisfies never;
    }
  }

  /** A message was stored in a transaction of the engine, which tells listeners only afterwards. */
  appended(): void {
    if (this.#chosen) this.#forget();
  }

  async #keep(leafId: string): Promise<void> {
    const tailId = (await this.#session.getLatestLeaf())?.id;
    // The newest row is the leaf anyway.
    if (tailId === undefined || tailId === leafId) return this.#forget();
    this.#statements.upsert.run({ ...this.#key(), leafId, tailId });
    this.#chosen = { leafId, tailId };
  }

  #forget(): void {
    this.#statements.delete.run(this.#key());
    this.#chosen = undefined;
  }

  #key(): { sessionId: string } {
    return { sessionId: this.#session.sessionId };
  }
}

function statements(db: Database) {
  const p = sql.placeholder;
  const ofSession = eq(activeLeaf.sessionId, p("sessionId"));
  return {
    select: db
      .select({ leafId: activeLeaf.leafId, tailId: activeLeaf.tailId })
      .from(activeLeaf)
      .where(ofSession)
      .prepare(),
    upsert: db
      .insert(activeLeaf)
      .values({ sessionId: p("sessionId"), leafId: p("leafId"), tailId: p("tailId") })
      .onConflictDoUpdate({
        target: activeLeaf.sessionId,
        set: { leafId: sql`excluded.leaf_id`, tailId: sql`excluded.tail_id` },
      })
      .prepare(),
    delete: db.delete(activeLeaf).where(ofSession).prepare(),
  };
}
