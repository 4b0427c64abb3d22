import type { ContextBlocks } from "agents/context";
import type {
  AppendOptions,
  AppendResult,
  CompactionFunction,
  CompactResult,
  HistoryBatchReadOptions,
  HistoryReadOptions,
  RecentHistoryResult,
  SearchResult,
  Session,
  SessionMessage,
  SessionRowStat,
  StoredCompaction,
  WriteOptions,
} from "agents/sessions";
import { checkLimit } from "../input/filters.ts";
import { checkedCompaction, type CompactionErrorHandler } from "./compaction.ts";
import { checkQuery, MAX_RESULTS } from "./search.ts";
import { SessionContext } from "./session-context.ts";
import { asOptions, type CompactAfterOptions, type LeafChoice } from "./session-options.ts";

/**
 * One conversation: a tree of messages, of which one path is active. The active path ends at the newest
 * message, or at the leaf that {@link ThinkSession.setActiveLeaf} chose. Nothing here deletes a branch: a
 * reply that was made again stays beside the new one.
 *
 * @example
 * const [first, second] = await this.session.getBranches(question.id);
 * await this.session.setActiveLeaf(first.id); // back to the first answer
 */
export class ThinkSession extends SessionContext {
  readonly #handle: Session;
  readonly #leaf: LeafChoice;
  #onCompactionError: CompactionErrorHandler | undefined;
  #canCompact = false;

  /** @internal Made by Think. */
  constructor(handle: Session, context: () => ContextBlocks, leaf: LeafChoice) {
    super(context);
    this.#handle = handle;
    this.#leaf = leaf;
  }

  get sessionId(): string {
    return this.#handle.sessionId;
  }

  /** @internal Is there a function to summarise with? */
  get internal_canCompact(): boolean {
    return this.#canCompact;
  }

  /** Register the function that summarises a branch: {@link ThinkSession.compact} and overflow handling call it. */
  onCompaction(fn: CompactionFunction): this {
    this.#canCompact = true;
    this.#handle.onCompaction(checkedCompaction(fn, () => this.#onCompactionError));
    return this;
  }

  /** Compact after an append that brings the path's estimated tokens above the threshold. */
  compactAfter(tokenThreshold: number, _options?: CompactAfterOptions): this {
    this.#handle.compactAfter(tokenThreshold);
    return this;
  }

  /** Hear what the compaction function throws. The compaction is skipped; the messages stay as they are. */
  onCompactionError(handler: CompactionErrorHandler): this {
    this.#onCompactionError = handler;
    return this;
  }

  /** The leaf that was chosen; `null` while the newest message is the leaf. */
  get activeLeafId(): string | null {
    return this.#leaf.id() ?? null;
  }

  /**
   * Make the path to this message the active one, until the next message is appended. Survives a restart.
   *
   * @param messageId - `null`: the newest message again.
   * @throws {ThinkInputError} when the session has no such message.
   */
  setActiveLeaf(messageId: string | null): Promise<void> {
    return this.#leaf.choose(messageId);
  }

  /** Messages of a path, oldest first, read in windows. Summaries stand in for what was compacted. */
  history(options?: HistoryReadOptions): AsyncGenerator<SessionMessage, void, undefined> {
    return this.#handle.history(this.#onPath(options));
  }

  historyBatches(options?: HistoryBatchReadOptions): AsyncGenerator<SessionMessage[], void, undefined> {
    return this.#handle.historyBatches(this.#onPath(options));
  }

  /** A whole path at once; {@link ThinkSession.history} is for long ones. */
  getHistory(leafIdOrOptions?: string | null | HistoryReadOptions): Promise<SessionMessage[]> {
    return this.#handle.getHistory(this.#onPath(asOptions("leafId", leafIdOrOptions)));
  }

  /** The newest messages of a path that fit a number of stored bytes; at least one. A number of messages is ignored. */
  getRecentHistory(
    maxContentBytes: number,
    options?: number | Pick<HistoryReadOptions, "leafId">,
  ): Promise<RecentHistoryResult> {
    const path = this.#onPath(typeof options === "number" ? undefined : options);
    return this.#handle.getRecentHistory(maxContentBytes, path);
  }

  /** Id, role and size of each message of a path, without its content. */
  getHistoryRowStats(leafId?: string | null): Promise<SessionRowStat[]> {
    return this.#handle.getHistoryRowStats(leafId ?? this.#leaf.id());
  }

  /** @deprecated The length of {@link ThinkSession.getHistoryRowStats}. */
  async getPathLength(leafId?: string | null): Promise<number> {
    return (await this.getHistoryRowStats(leafId)).length;
  }

  getMessage(id: string): Promise<SessionMessage | null> {
    return this.#handle.getMessage(id);
  }

  /** The last message of the active path. */
  getLatestLeaf(): Promise<SessionMessage | null> {
    const chosen = this.#leaf.id();
    return chosen === undefined ? this.#handle.getLatestLeaf() : this.#handle.getMessage(chosen);
  }

  /** The messages below one message, oldest first: more than one when a reply was made again. */
  getBranches(messageId: string): Promise<SessionMessage[]> {
    return this.#handle.getBranches(messageId);
  }

  /** Messages of this session that contain the words as one phrase, best first. */
  async search(query: string, options?: { limit?: number }): Promise<SearchResult[]> {
    return this.#handle.search(checkQuery(query), { limit: checkLimit(options?.limit, 20, MAX_RESULTS) });
  }

  /** Append below the active leaf, or where the options say. A known id changes nothing. */
  appendMessage(message: SessionMessage, where?: string | null | AppendOptions): Promise<AppendResult> {
    return this.#handle.appendMessage(message, this.#below(asOptions("parentId", where)));
  }

  /** Replace a message's content in its place; `null` when the session has no such message. */
  updateMessage(message: SessionMessage, options?: WriteOptions): Promise<SessionMessage | null> {
    return this.#handle.updateMessage(message, options);
  }

  /** Update a known message, append an unknown one. A known message never moves. */
  upsertMessage(message: SessionMessage, where?: string | null | AppendOptions): Promise<AppendResult> {
    return this.#handle.upsertMessage(message, this.#below(asOptions("parentId", where)));
  }

  /** Store a message of another conversation as it was, with its place and time. */
  importMessage(message: SessionMessage, options: { parentId: string | null; createdAt: number }): Promise<void> {
    return this.#handle.importMessage(message, options);
  }

  /** Delete messages. What came after them is attached to what came before. */
  deleteMessages(messageIds: string[]): Promise<void> {
    return this.#handle.deleteMessages(messageIds);
  }

  /** Delete the whole session. */
  clearMessages(): Promise<void> {
    return this.#handle.clearMessages();
  }

  addCompaction(summary: string, fromMessageId: string, toMessageId: string): Promise<StoredCompaction> {
    return this.#handle.addCompaction(summary, fromMessageId, toMessageId);
  }

  getCompactions(): Promise<StoredCompaction[]> {
    return this.#handle.getCompactions();
  }

  /**
   * Summarise a path with the registered function.
   *
   * @returns `null` when there is nothing to summarise, or when the function failed.
   * @throws when no function is registered.
   */
  compact(leafId?: string | null): Promise<CompactResult | null> {
    return this.#handle.compact(leafId ?? this.#leaf.id());
  }

  #onPath<T extends HistoryReadOptions>(options: T | undefined): T | { leafId: string } | undefined {
    const leafId = options?.leafId ?? this.#leaf.id();
    return leafId === undefined ? options : { ...options, leafId };
  }

  #below(options: AppendOptions): AppendOptions {
    const parentId = options.parentId === undefined ? this.#leaf.id() : options.parentId;
    return parentId === undefined ? options : { ...options, parentId };
  }
}
