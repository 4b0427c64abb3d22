import { type Session, type SessionChangeEvent, type SessionMessage, type Sessions } from "agents/sessions";
import { sanitizeMessage } from "agents/chat";
import type { UIMessage } from "ai";
import type { Comparison, Conversation, ConversationWrite } from "../engine/ports.ts";
import { report } from "../engine/console.ts";
import type { ActiveLeaf } from "./active-leaf.ts";
import { PathView, type PathViewOptions } from "./path-view.ts";
import { settledWithin } from "../engine/settled-within.ts";
import { SessionSync, type SyncWrite } from "./session-sync.ts";

/** What the view is to know and to tell, and the leaf that somebody chose once the object has started. */
export type SessionConversationOptions = Omit<PathViewOptions, "leaf"> & {
  readonly activeLeaf?: () => ActiveLeaf | undefined;
  /** Milliseconds that a turn waits for a compaction. One that takes longer holds up no turn after that. Default 30,000. */
  readonly followingMs?: number;
};

/** The conversation, kept in one session of `agents/sessions`, its active path held in memory. */
export class SessionConversation implements Conversation {
  readonly #session: Session;
  readonly #sync: SessionSync;
  readonly #view: PathView;
  readonly #leaf: () => ActiveLeaf | undefined;
  readonly #followingMs: number;
  /** What the commits so far have set off; absent when all of it is done. */
  #following: Promise<void> | undefined;
  /** It took too long once. Until all of it is done nobody waits for it any more: some of it may never be. */
  #overdue = false;

  constructor(
    sessions: Sessions,
    { activeLeaf = () => undefined, followingMs = 30_000, ...view }: SessionConversationOptions = {},
  ) {
    this.#session = sessions.session();
    this.#sync = new SessionSync(this.#session);
    this.#leaf = activeLeaf;
    this.#followingMs = followingMs;
    this.#view = new PathView(this.#session, { ...view, leaf: () => activeLeaf()?.id });
    sessions.subscribe((event) => this.#follow(event));
  }

  ready(): Promise<void> {
    return this.#view.ready();
  }

  isReady(): boolean {
    return this.#view.isReady;
  }

  messages(): readonly UIMessage[] {
    return this.#view.messages;
  }

  /** The stored message that a next one is attached to. Not always the last of `messages`: that can be a summary. */
  leafId(): string | null {
    return this.#view.leafId;
  }

  /** Read the path again. */
  async sync(): Promise<void> {
    this.#view.invalidate();
    await this.#view.ready();
  }

  async compare(messages: readonly UIMessage[]): Promise<Comparison> {
    // What followed the last commit (a compaction, say) belongs to the path that the next turn begins on.
    if (this.#following && !this.#overdue) this.#overdue = !(await settledWithin(this.#following, this.#followingMs));
    const known = await Promise.all(messages.map(({ id }) => this.#session.getMessage(id)));
    await this.ready();
    const ids = messages.map(({ id }) => id);
    const fresh = messages.filter(({ id }, index) => known[index] === null && ids.indexOf(id) === index);
    const changed = messages.filter((message, index) => {
      const stored = known[index];
      return stored ? !saysTheSame(message, stored) : false;
    });
    return { fresh, changed: changed.map(({ id }) => id) };
  }

  async branch(messageId: string): Promise<boolean> {
    await this.ready();
    if (this.leafId() === messageId) return true;
    const leaf = this.#leaf();
    if (!leaf || (await this.#session.getMessage(messageId)) === null) return false;
    await leaf.choose(messageId);
    await this.sync();
    return true;
  }

  write(): ConversationWrite {
    const written: { parentId: string | null; sync: SyncWrite }[] = [];
    return {
      append: (messages, parentId) => {
        let parent = parentId;
        for (const message of messages) {
          const sync = this.#sync.upsert(message as SessionMessage, parent);
          written.push({ parentId: parent, sync });
          // A stored one stays where it is; what follows does not come after it.
          if (sync.inserted) parent = message.id;
        }
        return written.every(({ sync }) => sync.inserted);
      },
      committed: () => {
        if (written.length > 0) this.#leaf()?.appended();
        for (const { parentId, sync } of written) {
          this.#view.appended(sync.stored as UIMessage, parentId);
          this.#follows(sync.after());
        }
      },
      rolledBack: () => this.#sync.abandon(),
    };
  }

  #follows(after: Promise<void>): void {
    const following = Promise.all([this.#following, after])
      .then(() => {})
      .catch((error: unknown) => report("A listener of the session failed", error))
      .finally(() => {
        if (this.#following !== following) return;
        this.#following = undefined;
        this.#overdue = false;
      });
    this.#following = following;
  }

  async #follow(event: SessionChangeEvent): Promise<void> {
    if (event.sessionId !== this.#session.sessionId) return;
    const leaf = this.#leaf();
    if (leaf?.id !== undefined) {
      await leaf.follow(event);
      // The session itself attaches to its newest row, which is not the end of the chosen path.
      if (event.type === "append" && event.parentId === undefined) this.#view.invalidate();
    }
    this.#view.follow(event);
    // An import comes in bulk: it is read once, when it is needed.
    if (event.type !== "import") await this.#view.ready();
  }
}

/** Metadata does not count: the server adds to it. What is stored has been sanitised. */
const saysTheSame = (message: UIMessage, stored: SessionMessage): boolean =>
  message.role === stored.role && JSON.stringify(sanitizeMessage(message).parts) === JSON.stringify(stored.parts);
