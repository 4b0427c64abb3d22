import { isCompactionMessage, type Session, type SessionChangeEvent, type SessionMessage } from "agents/sessions";
import type { UIMessage } from "ai";
import { inSpan } from "../engine/spans.ts";
import { HYDRATION_BUDGET_BYTES, isBudget, readWindow, type Window } from "./read-window.ts";

/** What a view is to know and to tell, beyond the session. */
export type PathViewOptions = {
  /** Stored bytes to hold; asked at each read. */
  readonly budget?: () => number;
  /** The leaf that somebody chose; `undefined`: the newest row. */
  readonly leaf?: () => string | undefined;
  readonly read?: (window: Window, budget: number) => void;
  /** The path could not be read. Without this, the read rejects. */
  readonly failed?: (error: unknown) => void;
};

/**
 * The active path of a session, in memory. It follows every write at once, without reading: only a write
 * that moves the path itself (a branch, a compaction) has it read again.
 */
export class PathView {
  readonly #session: Session;
  readonly #options: PathViewOptions;
  #messages: UIMessage[] = [];
  /** The stored end of the path; `undefined` until it was read. */
  #leafId: string | null | undefined;
  /** Is `#messages` the stored path, or its newest part? */
  #current = false;
  /** Bytes that may still be appended before the path is read again, with its budget. */
  #room = 0;
  /** Writes seen: one that comes while the path is read may or may not be in what was read. */
  #writes = 0;
  #reading: Promise<void> | undefined;

  constructor(session: Session, options: PathViewOptions = {}) {
    this.#session = session;
    this.#options = options;
  }

  get messages(): readonly UIMessage[] {
    return this.#messages;
  }

  /** The stored message that the path ends at. Not the last of `messages` when that is a summary. */
  get leafId(): string | null {
    return this.#leafId ?? null;
  }

  /** Is the view that of the stored path? */
  get isReady(): boolean {
    return this.#current;
  }

  /** Resolves when the view is that of the stored path, or when the path cannot be read. */
  async ready(): Promise<void> {
    for (let readable = true; readable && !this.#current;) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      readable = await this.#reading.then(
        () => true,
        (error: unknown) => this.#goOnWithout(error),
      );
    }
  }

  /** What is held is not the path any more. */
  invalidate(): void {
    this.#writes += 1;
    this.#current = false;
  }

  /** A message was stored below `parentId`, or in its place if it was stored before. */
  appended(message: UIMessage, parentId: string | null): void {
    this.#writes += 1;
    if (this.#leafId === undefined || this.#replace(message)) return;
    if (parentId !== this.#leafId) return this.invalidate();
    this.#messages.push(message);
    this.#leafId = message.id;
    this.#room -= JSON.stringify(message).length;
    if (this.#room < 0) this.#current = false;
  }

  /** A write to the session, by the engine or by anybody else. */
  follow(event: SessionChangeEvent): void {
    if (event.sessionId !== this.#session.sessionId) return;
    this.#writes += 1;
    switch (event.type) {
      case "append":
        if (event.inserted) this.#followAppend(event);
        return;
      case "update":
        this.#replace(event.message);
        return;
      case "delete":
        return this.#remove(new Set(event.messageIds));
      case "clear":
        this.#messages = [];
        this.#leafId = null;
        return;
      case "compact":
      case "compaction":
      case "import":
        return this.invalidate();
      default:
        event satisfies never;
    }
  }

  #followAppend({ message, parentId }: Extract<SessionChangeEvent, { type: "append" }>): void {
    this.appended(message as UIMessage, parentId === undefined ? this.leafId : parentId);
  }

  /** `false` when it is not on the path. From the end: what changes is nearly always among the newest. */
  #replace(message: SessionMessage): boolean {
    const index = this.#messages.findLastIndex(({ id }) => id === message.id);
    if (index !== -1) this.#messages[index] = message as UIMessage;
    return index !== -1;
  }

  /** Without its end, the path ends at the newest row, which can be on another branch. */
  #remove(ids: ReadonlySet<string>): void {
    const moved = ids.has(this.leafId ?? "") || this.#messages.some(isCompactionMessage);
    this.#messages = this.#messages.filter(({ id }) => !ids.has(id));
    if (moved) this.invalidate();
  }

  async #read(): Promise<void> {
    const before = this.#writes;
    const budget = this.#options.budget?.() ?? HYDRATION_BUDGET_BYTES;
    const window = await inSpan("hydrate_think_session", {}, () =>
      readWindow(this.#session, this.#options.leaf?.(), budget),
    );
    this.#messages = window.messages;
    this.#leafId = window.leafId;
    this.#room = roomLeft(window, budget);
    this.#current = this.#writes === before;
    if (this.#current) this.#options.read?.(window, budget);
  }

  /** The next `ready()` tries again. Until then what is appended still finds its place. */
  async #goOnWithout(error: unknown): Promise<false> {
    if (!this.#options.failed) throw error;
    this.#options.failed(error);
    this.#leafId ??= this.#options.leaf?.() ?? (await this.#session.getLatestLeaf())?.id ?? null;
    return false;
  }
}

/** A full window may grow by a quarter before it is cut again, so that not every message has it read. */
function roomLeft({ truncated, totalBytes }: Window, budget: number): number {
  if (!isBudget(budget)) return Number.POSITIVE_INFINITY;
  return truncated ? budget / 4 : budget - totalBytes;
}
