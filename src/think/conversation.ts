import { overriddenPrompt } from "../conversation/default-prompt.ts";
import type { ContextBlocks } from "agents/context";
import { type SearchResult } from "agents/sessions";
import type { UIMessage } from "ai";
import { addMessages } from "../conversation/add-messages.ts";
import type { OnStartDegradation } from "../conversation/degradations.ts";
import type { ThinkSession } from "../conversation/think-session.ts";
import { serializeMessages } from "../input/messages.ts";
import type { AddMessagesOptions, AnyValue, MessagesInput, RpcMessage } from "../types.ts";
import { memoryOf, wireOf } from "./internals.ts";
import { ThinkHooks } from "./hooks.ts";

/** The conversation and what is kept about the agent. */
export abstract class ThinkConversation<
  Env extends Cloudflare.Env = Cloudflare.Env,
  State = unknown,
  Props extends Record<string, unknown> = Record<string, unknown>,
> extends ThinkHooks<Env, State, Props> {
  /** The conversation that turns are part of. */
  get session(): ThinkSession {
    return memoryOf(this).session;
  }

  /** The context blocks: labelled text in the prompt, some of which the model can write. */
  protected get context(): ContextBlocks {
    return memoryOf(this).context.blocks;
  }

  /**
   * Store messages without a turn, as one chain. May be called from inside a turn.
   *
   * @throws {ThinkInputError} when a message is malformed or `parentId` names no message.
   */
  async addMessages(messages: MessagesInput, options: AddMessagesOptions = {}): Promise<void> {
    const resolved = typeof messages === "function" ? await messages(await this.getMessages()) : messages;
    serializeMessages(resolved, "addMessages");
    await addMessages(memoryOf(this).session, resolved, options);
    if (options.broadcast !== false) wireOf(this).changed();
  }

  /** The conversation's active path, oldest first: a copy. */
  getMessages(): Promise<UIMessage[]>;
  /** The same over RPC. */
  getMessages(): Promise<RpcMessage[]>;
  async getMessages(): Promise<UIMessage[]> {
    await memoryOf(this).conversation.ready();
    return structuredClone(this.messages);
  }

  /** The conversation's active path as it is held in memory: its newest part when it is very long. */
  get messages(): UIMessage[] {
    return [...memoryOf(this).conversation.messages()];
  }

  /**
   * Messages of all sessions of this object that contain the words as one phrase, best first.
   *
   * @returns Results with their `sessionId`; `content` is the passage around the match.
   * @throws {ThinkInputError} when the query is no text or longer than 1,000 characters.
   *
   * @example
   * const [best] = await agent.searchConversations("deployment failed", { limit: 5 });
   */
  async searchConversations(query: string, options?: { limit?: number }): Promise<SearchResult[]> {
    return memoryOf(this).search(query, options?.limit);
  }

  /** The instructions of a turn: what `getSystemPrompt()` says, and the context blocks. */
  protected _buildBaseSystemPrompt(): Promise<string> {
    return memoryOf(this).context.systemText(overriddenPrompt(this.getSystemPrompt()));
  }

  /** Store a message below `parentId`, or at the end of the active path. */
  protected async appendMessageToHistory(message: UIMessage, parentId?: string | null): Promise<UIMessage> {
    return (await this.session.appendMessage(message, parentId)).message as UIMessage;
  }

  /** Replace a stored message's content. */
  protected async updateMessageInHistory(message: UIMessage): Promise<UIMessage> {
    return ((await this.session.updateMessage(message)) ?? message) as UIMessage;
  }

  /** Read {@link Think.messages} from storage again. */
  protected async syncMessagesFromStorage(): Promise<UIMessage[]> {
    await memoryOf(this).conversation.sync();
    return this.messages;
  }

  /**
   * Keep one JSON value with the agent. It replaces the one before; nothing is merged, nobody is told.
   *
   * @throws {ThinkInputError} when the value cannot be stored as JSON.
   *
   * @example
   * this.configure<Preferences>({ tier: "fast" });
   */
  // The type parameters are the target's: they let a caller name the shape.
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  configure<T = Record<string, unknown>>(config: T): void {
    memoryOf(this).config.write(config);
  }

  /** A copy of what {@link Think.configure} kept; `null` when it kept nothing. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  getConfig<T extends AnyValue = Record<string, unknown>>(): T | null {
    return memoryOf(this).config.read() as T | null;
  }

  /** Steps of this start that failed and were left out, so that the agent can be reached at all. */
  getOnStartDegradations(): readonly OnStartDegradation[] {
    return memoryOf(this).degradations.list();
  }
}
