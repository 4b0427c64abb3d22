import type { ToolSet, UIMessage } from "ai";

/** The context blocks, as a turn needs them. None of it throws: a provider that fails is a degradation. */
export type ConversationContext = {
  /**
   * The instructions of a turn.
   *
   * @param base - What an overridden `getSystemPrompt()` says; `undefined` when it is not overridden. With a
   *   base: it, a blank line and the frozen blocks. Without: only the blocks, or the built-in text when there
   *   are none.
   */
  readonly systemText: (base: string | undefined) => Promise<string>;
  /** `set_context` and `search_context`, each only when a block can be written or searched. */
  readonly tools: () => Promise<ToolSet>;
  /** Blocks that changed since the prompt was frozen: for the end of the last user message, never stored. */
  readonly reminder: () => Promise<string | undefined>;
};

/** The history, as a turn needs it beyond the engine's `Conversation`. */
export type ConversationCare = {
  /**
   * Mend what an earlier turn left unfinished, and store it: tool calls without a result, inputs that are no
   * objects. Call it before the history is read for the model.
   *
   * @param continuation - The turn goes on with the last answer: approvals it will act on stay as they are.
   * @param clientTools - Tools that a client runs, whose calls a continuation leaves open.
   */
  readonly repair: (continuation: boolean, clientTools?: ReadonlySet<string>) => Promise<void>;
  /**
   * Have the active path summarised.
   *
   * @returns `shortened: false` when there was nothing to summarise or no compaction function is registered.
   */
  readonly compact: () => Promise<{ shortened: boolean }>;
};

/** How the model's copy of the history is shortened. What is stored stays as it is. */
export type HistoryOptions = {
  /** The newest messages are whole; the border moves in steps of this size, so that a prompt's prefix can be cached. */
  readonly truncationStep: number;
  /** `undefined`: aged media stays in the prompt. */
  readonly media: MediaAgeing | undefined;
};

/** Which media is old enough for a marker in the model's copy. */
export type MediaAgeing = {
  /** The newest messages whose media is whole. */
  readonly keepRecentMessages: number;
  /** Smaller values are left alone. */
  readonly minPartBytes: number;
};

/** What `historyForModel` gives: the messages to convert, and how many of the newest are whole. */
export type ModelHistory = { readonly messages: UIMessage[]; readonly keepRecent: number };
