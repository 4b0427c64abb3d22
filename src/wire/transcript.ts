import type { UIMessage } from "ai";
import { liveMessage } from "./live-message.ts";
import { visibleMessage, visibleTranscript } from "./visible.ts";
import type { WireParts } from "./parts.ts";
import { waitingMessages } from "./waiting-messages.ts";

/** The conversation as clients see it. */
export class Transcript {
  readonly #parts: () => WireParts;

  constructor(parts: () => WireParts) {
    this.#parts = parts;
  }

  /** With the messages of requests that wait: they become part of the conversation when their turn begins. */
  messages(): UIMessage[] {
    const { conversation } = this.#parts();
    const stored = visibleTranscript(conversation.messages());
    const known = new Set(stored.map(({ id }) => id));
    return [...stored, ...this.#waiting().filter(({ id }) => !known.has(id))];
  }

  /** The visible message that this stored one is part of. */
  messageOf(messageId: string): UIMessage | undefined {
    const parts = this.#parts();
    const live = liveMessage(parts);
    return visibleMessage([...parts.conversation.messages(), ...(live ? [live] : [])], messageId);
  }

  #waiting(): UIMessage[] {
    const { engine } = this.#parts();
    const { queue, store } = engine;
    return queue
      .all()
      .filter(({ status, trigger }) => status === "pending" && trigger === "ws-chat")
      .flatMap(({ turnId }) => waitingMessages(store, turnId));
  }
}
