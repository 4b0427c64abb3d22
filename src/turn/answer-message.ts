import { sanitizeMessage, StreamAccumulator } from "agents/chat";
import type { UIMessage, UIMessageChunk } from "./ai-sdk.ts";
import type { ElsewhereUpdate } from "./answered-elsewhere.ts";
import { asStored } from "./as-json.ts";

/** An answer as it grows: what the accumulator of `agents/chat` makes of the chunks, and what it leaves out. */
export class AnswerMessage {
  readonly #accumulator: StreamAccumulator;
  /** Tool calls whose newest output is not the last one. */
  readonly #preliminary = new Set<string>();
  readonly #elsewhere = new Map<string, ElsewhereUpdate>();

  constructor(messageId: string) {
    this.#accumulator = new StreamAccumulator({ messageId });
  }

  apply(chunk: UIMessageChunk): void {
    const { action } = this.#accumulator.applyChunk(this.#markedFinal(chunk));
    if (action?.type === "cross-message-tool-update") this.#elsewhere.set(action.toolCallId, action);
    this.#keepMetadata(chunk);
  }

  /** The newest result of each call that is not in this message. */
  get elsewhere(): readonly ElsewhereUpdate[] {
    return [...this.#elsewhere.values()];
  }

  /** A client answered a call while the rest still streams. */
  replace(part: UIMessage["parts"][number], toolCallId: string): void {
    const { parts } = this.#accumulator;
    const index = parts.findIndex((candidate) => "toolCallId" in candidate && candidate.toolCallId === toolCallId);
    if (index !== -1) parts[index] = part;
  }

  snapshot(): UIMessage {
    return this.#accumulator.toMessage();
  }

  /**
   * The message as it will be read again; `undefined` when there is nothing to keep.
   *
   * @throws when it cannot be JSON.
   */
  stored(): UIMessage | undefined {
    const message = sanitizeMessage(asStored(this.snapshot()));
    return message.parts.some(isContent) ? { ...message, parts: message.parts.map(ended) } : undefined;
  }

  /** The last output of a tool that gave preliminary ones says so: the accumulator would keep the mark on it. */
  #markedFinal(chunk: UIMessageChunk): UIMessageChunk {
    if (chunk.type !== "tool-output-available") return chunk;
    if (chunk.preliminary) this.#preliminary.add(chunk.toolCallId);
    else if (this.#preliminary.delete(chunk.toolCallId)) return { ...chunk, preliminary: false };
    return chunk;
  }

  /** The accumulator drops what a provider says of its texts and files, and wants to see again (signatures, say). */
  #keepMetadata(chunk: UIMessageChunk): void {
    const [kind] = /^(?:text|reasoning|file)\b/.exec(chunk.type) ?? [];
    if (!kind || !("providerMetadata" in chunk) || !chunk.providerMetadata) return;
    const part = this.#accumulator.parts.findLast(({ type }) => type === kind) as
      | { providerMetadata?: object }
      | undefined;
    if (part) part.providerMetadata = { ...part.providerMetadata, ...chunk.providerMetadata };
  }
}

/** What is stored streams no more, also where the stream was cut off. */
const ended = (part: UIMessage["parts"][number]): UIMessage["parts"][number] =>
  (part.type === "text" || part.type === "reasoning") && part.state === "streaming" ? { ...part, state: "done" } : part;

/** A step boundary alone is nothing to keep. */
export const isContent = (part: UIMessage["parts"][number]): boolean => part.type !== "step-start";
