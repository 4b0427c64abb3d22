import type { Session, SessionChangeEvent, SessionMessage } from "agents/sessions";
import type { UIMessage } from "ai";

/** Stored bytes of the newest messages that are held in memory. */
const HYDRATION_BUDGET_BYTES = 32 * 1024 * 1024;

/**
 * The active path of a session, in memory. It follows every write at once, without reading: only a write
 * that moves the path itself (a branch, a compaction) has it read again.
 */
export class PathView {
  readonly #session: Session;
  #messages: UIMessage[] = [];
  /** Is `#messages` the stored path? */
  #current = false;
  /** Writes seen: one that comes while the path is read may or may not be in what was read. */
  #writes = 0;
  #reading: Promise<void> | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  get messages(): readonly UIMessage[] {
    return this.#messages;
  }

  /** Resolves when the view is that of the stored path. */
  async ready(): Promise<void> {
    while (!this.#current) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
  }

  /** A message was stored below `parentId`. */
  appended(message: UIMessage, parentId: string | null): void {
    this.#writes += 1;
    if (!this.#current) return;
    if (parentId === (this.#messages.at(-1)?.id ?? null)) this.#messages.push(message);
    else this.#current = false;
  }

  /** A write to the session, by the engine or by anybody else. */
  follow(event: SessionChangeEvent): void {
    if (event.sessionId !== this.#session.sessionId) return;
    this.#writes += 1;
    if (!this.#current) return;
    switch (event.type) {
      case "append":
        if (event.inserted && this.#indexOf(event.message) === -1) this.#followAppend(event);
        return;
      case "update":
        this.#replace(event.message);
        return;
      case "delete": {
        const removed = new Set(event.messageIds);
        this.#messages = this.#messages.filter(({ id }) => !removed.has(id));
        return;
      }
      case "clear":
        this.#messages = [];
        return;
      case "compact":
      case "compaction":
      case "import":
        this.#current = false;
        return;
      default:
        event satisfies never;
    }
  }

  #followAppend({ message, parentId }: Extract<SessionChangeEvent, { type: "append" }>): void {
    const leaf = this.#messages.at(-1)?.id ?? null;
    this.appended(message as UIMessage, parentId === undefined ? leaf : parentId);
  }

  #replace(message: SessionMessage): void {
    const index = this.#indexOf(message);
    if (index !== -1) this.#messages[index] = message as UIMessage;
  }

  /** From the end: what changes is nearly always among the newest. */
  #indexOf({ id }: SessionMessage): number {
    return this.#messages.findLastIndex((message) => message.id === id);
  }

  async #read(): Promise<void> {
    const before = this.#writes;
    const { messages } = await this.#session.getRecentHistory(HYDRATION_BUDGET_BYTES);
    this.#messages = messages as UIMessage[];
    this.#current = this.#writes === before;
  }
}
