import type { Session, SessionMessage } from "agents/sessions";

/** One write made inside somebody else's transaction. */
export type SyncWrite = {
  /** The message as it is stored: without what providers left in it. */
  readonly stored: SessionMessage;
  /** `false` when its id was stored before. */
  readonly inserted: boolean;
  /** Tell subscribers and compact if due; once the transaction is committed. */
  readonly after: () => Promise<void>;
};

/**
 * The synchronous writes of `agents/sessions`. The only place that knows the undocumented member they
 * come from: `agents` is pinned, and tests/conversation/session-sync.worker.test.ts holds it to what we
 * rely on.
 */
export class SessionSync {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Insert, or update in place when the id is stored. A string `parentId` that does not exist means a root. */
  upsert(message: SessionMessage, parentId: string | null): SyncWrite {
    const { result, after } = this.#session.__DO_NOT_USE_WILL_BREAK__sync().upsert(message, { parentId });
    return { stored: result.message, inserted: result.inserted, after };
  }

  /** The transaction rolled back: drop what the session holds in memory about its tail. */
  abandon(): void {
    this.#session.__DO_NOT_USE_WILL_BREAK__sync().abandon();
  }
}
