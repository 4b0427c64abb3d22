import type { Session, SessionMessage, Sessions } from "agents/sessions";
import type { UIMessage } from "ai";
import type { Conversation, ConversationWrite } from "../engine/ports.ts";
import { report } from "../engine/console.ts";
import { PathView } from "./path-view.ts";
import { SessionSync, type SyncWrite } from "./session-sync.ts";

/** The conversation, kept in one session of `agents/sessions`, its active path held in memory. */
export class SessionConversation implements Conversation {
  readonly #session: Session;
  readonly #sync: SessionSync;
  readonly #view: PathView;

  constructor(sessions: Sessions) {
    this.#session = sessions.session();
    this.#sync = new SessionSync(this.#session);
    this.#view = new PathView(this.#session);
    sessions.subscribe((event) => this.#view.follow(event));
  }

  ready(): Promise<void> {
    return this.#view.ready();
  }

  messages(): readonly UIMessage[] {
    return this.#view.messages;
  }

  async unknown(messages: readonly UIMessage[]): Promise<UIMessage[]> {
    const known = await Promise.all(messages.map(({ id }) => this.#session.getMessage(id)));
    await this.ready();
    const ids = messages.map(({ id }) => id);
    return messages.filter(({ id }, index) => known[index] === null && ids.indexOf(id) === index);
  }

  write(): ConversationWrite {
    const written: { message: UIMessage; parentId: string | null; sync: SyncWrite }[] = [];
    return {
      append: (messages, parentId) => {
        let parent = parentId;
        for (const message of messages) {
          written.push({ message, parentId: parent, sync: this.#sync.upsert(message as SessionMessage, parent) });
          parent = message.id;
        }
      },
      committed: () => {
        for (const { message, parentId, sync } of written) {
          this.#view.appended(message, parentId);
          sync.after().catch((error: unknown) => report("A listener of the session failed", error));
        }
      },
      rolledBack: () => this.#sync.abandon(),
    };
  }
}
