import { Agent, getCurrentAgent } from "agents";
import type { ContextBlocks, ContextConfig } from "agents/context";
import { type SearchResult, Sessions } from "agents/sessions";
import { createToolsFromClientSchemas } from "agents/chat";
import type { LanguageModel, ToolSet, UIMessage } from "ai";
import { addMessages } from "./conversation/add-messages.ts";
import { ConversationCapability } from "./conversation/capability.ts";
import { DEFAULT_SYSTEM_PROMPT } from "./conversation/default-prompt.ts";
import type { OnStartDegradation } from "./conversation/degradations.ts";
import { mediaAgeing, type MediaEvictionConfig } from "./conversation/media-options.ts";
import { historyForModel } from "./conversation/model-history.ts";
import { HYDRATION_BUDGET_BYTES } from "./conversation/read-window.ts";
import { interruptedToolPart } from "./conversation/repair.ts";
import type { ThinkSession } from "./conversation/think-session.ts";
import { channelOf, requestInput } from "./engine/blocking-request.ts";
import type { BlockingEnd } from "./engine/blocking-turns.ts";
import { cancelRunning, cancelTurn } from "./engine/cancel-turns.ts";
import type { Cause } from "./engine/cause.ts";
import { EngineCapability } from "./engine/capability.ts";
import type { Engine } from "./engine/engine.ts";
import { listSubmissions } from "./engine/ledger.ts";
import { rebuildProjections } from "./engine/rebuild.ts";
import { parseMetadata } from "./engine/inspection.ts";
import { reset } from "./engine/reset.ts";
import { isInsideStatusHook } from "./engine/status-hook-scope.ts";
import type { IdempotencyPolicy } from "./engine/submissions.ts";
import { checkAuditOptions, checkDigest } from "./input/audit.ts";
import { checkDeletion } from "./input/deletion.ts";
import { checkLimit, checkStatuses } from "./input/filters.ts";
import { checkSubmission } from "./input/submission.ts";
import { serializeObject } from "./input/json-object.ts";
import { serializeMessages } from "./input/messages.ts";
import { checkRunTurn, textMessage, toMessages } from "./input/run-turn.ts";
import { checkTimeout } from "./input/timeout.ts";
import { verifyLog } from "./log/index.ts";
import { noteOverrides, noteWrappers, overrides } from "./overrides.ts";
import { auditPage } from "./queries/index.ts";
import { assertNoCycle, type CallChain } from "./turn/call-chain.ts";
import type {
  ChatErrorClassification,
  ChatErrorContext,
  ChunkContext,
  ContextOverflowConfig,
  MessageMetadataCallback,
  PrepareStepContext,
  StepConfig,
  StepContext,
  ThinkModel,
  ToolCallContext,
  ToolCallDecision,
  ToolCallResultContext,
  TurnConfig,
  TurnContext,
} from "./turn/hook-types.ts";
import { hasPendingInteraction } from "./turn/interaction.ts";
import { warnOfLegacyTools } from "./turn/legacy-tools.ts";
import { assertMayWait, assertNotInsideTurn } from "./turn/nested-calls.ts";
import type { LiveAnswer, TurnPorts, TurnSettings } from "./turn/ports.ts";
import { reasonText } from "./turn/reason-text.ts";
import { resolveModel } from "./turn/resolve-model.ts";
import { runTurn } from "./turn/run-turn.ts";
import { waitUntilStable } from "./turn/stability.ts";
import { withCallback } from "./turn/stream-callback.ts";
import { activeTurnOf, callChainOf } from "./turn/turn-scope.ts";
import type {
  ActiveTurn,
  AddMessagesOptions,
  AnyValue,
  AuditLogOptions,
  AuditLogPage,
  CancelSubmissionResult,
  ChatOptions,
  ChatResponseResult,
  DeleteSubmissionsOptions,
  ListSubmissionsOptions,
  LogVerification,
  MessagesInput,
  ProjectionRebuild,
  RpcMessage,
  RpcTurnResult,
  RunTurnOptions,
  RunTurnStream,
  RunTurnSubmit,
  RunTurnWait,
  SaveMessagesOptions,
  SaveMessagesResult,
  StreamCallback,
  SubmitMessagesOptions,
  SubmitMessagesResult,
  ThinkSubmissionInspection,
  TurnInputMessages,
  TurnResult,
  TurnTrigger,
  WaitForSubmissionOptions,
} from "./types.ts";

/** Hooks that cost something only when a subclass has them. */
const OBSERVED = ["onSubmissionStatus", "onChatResponse", "classifyChatError"] as const;

/**
 * An agent whose every turn is on record: submitted, claimed, applied, completed, failed, aborted,
 * skipped. Extend it and say which model answers.
 *
 * @example
 * class Assistant extends Think<Env> {
 *   getModel() {
 *     return createWorkersAI({ binding: this.env.AI })("@cf/moonshotai/kimi-k2.7-code");
 *   }
 * }
 */
export class Think<
  Env extends Cloudflare.Env = Cloudflare.Env,
  State = unknown,
  Props extends Record<string, unknown> = Record<string, unknown>,
> extends Agent<Env, State, Props> {
  /** Model steps in one turn, at the most. A step ends with an answer or with tool calls. */
  maxSteps = 10;

  /**
   * What a known idempotency key with other messages means: `"first"` answers with the first submission
   * and sets `payloadMismatch`; `"strict"` rejects with a {@link PayloadMismatchError}.
   */
  idempotency: "first" | "strict" = "first";

  /**
   * How long the key of a deleted submission still answers retries: not at all (the default), for ever,
   * or so many milliseconds.
   */
  idempotencyRetention: "forever" | number | undefined = undefined;

  /** `false` takes reasoning out of what is streamed, and so of what is stored. */
  sendReasoning = true;

  /** Writes metadata onto assistant messages, part by part. */
  messageMetadata?: MessageMetadataCallback;

  /** What to do when the conversation no longer fits the model; nothing when absent. */
  contextOverflow?: ContextOverflowConfig;

  /** Record what the model was asked and said on trace spans. */
  storeMessages = false;

  /** Record what tools were given and gave on trace spans. */
  storeTools = false;

  /**
   * Bytes of the newest messages that are held in memory, as they are stored. What is older stays readable
   * through the session. No positive number: the whole conversation.
   */
  hydrationByteBudget = HYDRATION_BUDGET_BYTES;

  /** Whether the model gets aged media as a short marker. What is stored is never touched. */
  mediaEviction: MediaEvictionConfig | boolean = true;

  /**
   * Texts and tool results that are older than the newest four messages reach the model shortened. The border
   * moves only every so many messages, so that the prompt before it can be cached.
   */
  truncationStep = 8;

  /** The conversations stored in this object. */
  readonly sessions: Sessions;

  readonly #memory: ConversationCapability;
  readonly #capability: EngineCapability;
  readonly #live: LiveAnswer = {};
  /** The end of the newest continuation: `continueLastTurn` may be overridden and does not return all of it. */
  #continued: { readonly requestId: string; readonly end: BlockingEnd } | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    noteOverrides(new.target.prototype, Think.prototype, OBSERVED);
    super(ctx, env);
    noteWrappers(new.target.prototype, OBSERVED);
    this.sessions = new Sessions({ reservedMetadataKeys: ["channel", "turnMetadata"] });
    this.#memory = new ConversationCapability(this.sessions, this, {
      configureSession: (session) => this.configureSession(session),
      configureContext: () => this.configureContext(),
      hydrationByteBudget: () => this.hydrationByteBudget,
      repairPart: (part) => this.repairInterruptedToolPart(part),
    });
    const clock = { now: () => Date.now() };
    const ids = { uuid: () => crypto.randomUUID(), salt: () => crypto.randomUUID() };
    this.#capability = new EngineCapability({
      clock,
      ids,
      conversation: this.#memory.conversation,
      statusHook: this.#statusHook(),
      responseHook: this.#responseHook(),
      readMessage: async (id) => ((await this.#memory.session.getMessage(id)) ?? undefined) as UIMessage | undefined,
      runner: (claimed, record, cancelled) => runTurn(this.#turnPorts(ids.uuid, clock.now), claimed, record, cancelled),
    });
    this.lifecycle.use(this.sessions).use(this.#capability).use(this.#memory);
  }

  /** The conversation that turns are part of. */
  get session(): ThinkSession {
    return this.#memory.session;
  }

  /** The context blocks: labelled text in the prompt, some of which the model can write. */
  protected get context(): ContextBlocks {
    return this.#memory.context.blocks;
  }

  // --- What a subclass says ---------------------------------------------------------------------

  /** The model that answers, or its id. Called for each turn. */
  getModel(): ThinkModel {
    throw new Error(
      'Override getModel() to return a model id string (e.g. "@cf/moonshotai/kimi-k2.7-code" or "openai/gpt-5.5") ' +
        "or a LanguageModel.",
    );
  }

  /** Where models named by an id come from; `env.AI` unless overridden. */
  getAIBinding(): Ai {
    return (this.env as { AI?: Ai }).AI as Ai;
  }

  /**
   * A model as the AI SDK takes it.
   *
   * @throws when there is no AI binding for the id, or nothing that could be a model is given.
   */
  resolveModel(model?: ThinkModel): LanguageModel {
    return resolveModel(model, () => ({ binding: this.getAIBinding(), sessionAffinity: this.sessionAffinity }));
  }

  /** What the model is told before the conversation. Called for each turn. */
  getSystemPrompt(): string {
    return DEFAULT_SYSTEM_PROMPT;
  }

  /** The tools the model may call. Called for each turn. */
  getTools(): ToolSet {
    return {};
  }

  /**
   * Called for every change of a submission's status, at least once and in order for each submission. What
   * it throws is logged and changes nothing. Make it idempotent: after a crash it may hear a change again.
   */
  protected onSubmissionStatus(_submission: ThinkSubmissionInspection): void | Promise<void> {}

  // --- Hooks of a turn --------------------------------------------------------------------------

  /** Look at the turn as it was put together, and return what is to be different. */
  beforeTurn(_context: TurnContext): TurnConfig | void | Promise<TurnConfig | void> {}

  /** The same before each model step. */
  beforeStep(_context: PrepareStepContext): StepConfig | void | Promise<StepConfig | void> {}

  /** A server tool is about to run: allow it, with another input if need be, block it, or answer in its place. */
  beforeToolCall(_context: ToolCallContext): ToolCallDecision | void | Promise<ToolCallDecision | void> {}

  /** A server tool has run, or failed. What this throws is logged. */
  afterToolCall(_context: ToolCallResultContext): void | Promise<void> {}

  /** A model step has finished. What this throws is logged. */
  onStepEnd(context: StepContext): void | Promise<void> {
    return this.onStepFinish(context);
  }

  /** @deprecated Override `onStepEnd`. */
  onStepFinish(_context: StepContext): void | Promise<void> {}

  /** A part was streamed; awaited before the next. What this throws is logged. */
  onChunk(_context: ChunkContext): void | Promise<void> {}

  /**
   * A turn has finished and its message is stored. Called once the lane is free, so the next turn may be
   * started from here; one call after the other, at least once: after a crash with `recovered: true`.
   */
  onChatResponse(_result: ChatResponseResult): void | Promise<void> {}

  /**
   * Something went wrong. What is returned is what callers and the record say of it.
   *
   * @param context - Where it happened; `classification` when {@link Think.classifyChatError} gave one.
   */
  onChatError(error: unknown, _context?: ChatErrorContext): unknown {
    return error;
  }

  /** What kind of error it is. `context_overflow` has the conversation compacted, see `contextOverflow`. */
  classifyChatError(_error: unknown, _context?: ChatErrorContext): ChatErrorClassification | void {}

  // --- Turns ------------------------------------------------------------------------------------

  /**
   * Run a turn: wait for its end (the default), submit it for later, or have it streamed to a callback.
   *
   * @throws {TypeError} when the options do not fit each other; nothing is stored then.
   *
   * @example
   * const { message } = await agent.runTurn({ input: "What is new?" });
   * await agent.runTurn({ mode: "submit", input: "Write the report", idempotencyKey: "report-42" });
   */
  runTurn(options: RunTurnWait): Promise<TurnResult>;
  runTurn(options: RunTurnSubmit): Promise<SubmitMessagesResult>;
  runTurn(options: RunTurnStream): Promise<void>;
  /** With options of any kind; and over RPC, where the last overload stands for all. */
  runTurn(options: RunTurnOptions): Promise<RpcTurnResult | SubmitMessagesResult | void>;
  async runTurn(options: RunTurnOptions): Promise<TurnResult | SubmitMessagesResult | void> {
    const checked = checkRunTurn(options);
    switch (checked.mode) {
      case "submit": {
        const { submissionId, idempotencyKey, metadata, channel } = checked.options;
        return this.submitMessages(checked.messages, defined({ submissionId, idempotencyKey, metadata, channel }));
      }
      case "stream":
        return this.#streamTurn(checked.options);
      case "wait":
        return checked.options.continuation
          ? this.#continueAndWait(checked.options)
          : this.#runAndWait(checked.options);
      default:
        return checked satisfies never;
    }
  }

  /**
   * Answer and stream the answer to a callback. Resolves after the callback's last call.
   *
   * @param input - Text, a message, messages, or a function of the conversation that is called when the turn begins.
   * @throws when called from inside a turn, or what the callback's own last call throws.
   */
  async chat(input: TurnInputMessages, callback: StreamCallback, options: ChatOptions = {}): Promise<void> {
    assertNotInsideTurn(this, "rpc");
    warnOfLegacyTools(options);
    const messages = input === "" ? [textMessage("")] : typeof input === "function" ? input : toMessages(input);
    const { channel, metadata, signal, clientTools, onClientToolCall, calledFrom } = options;
    this.#assertNoCycle(calledFrom);
    const requestId = crypto.randomUUID();
    const tools = clientTools && createToolsFromClientSchemas(clientTools, defined({ execute: onClientToolCall }));
    const onChunk = async (chunk: unknown): Promise<void> => callback.onEvent(JSON.stringify(chunk));
    const held = { onChunk, ...(signal && { signal }), ...(tools && { tools }) };
    await withCallback(callback, requestId, () =>
      this.#engine.blocking.run(
        {
          requestId,
          trigger: "rpc",
          channel,
          calledFrom,
          ...requestInput(messages, { channel, turnMetadata: metadata }, held),
        },
        this.#cause(),
      ),
    );
  }

  /**
   * Add an answer to the conversation as it is. `skipped` when it does not end with an assistant message.
   *
   * @param body - The caller's own data, for `beforeTurn`.
   */
  protected async continueLastTurn(
    body?: Record<string, unknown>,
    options: SaveMessagesOptions & { trigger?: TurnTrigger; channel?: string } = {},
  ): Promise<SaveMessagesResult> {
    const { trigger = "programmatic", signal, channel, calledFrom } = options;
    assertNotInsideTurn(this, trigger);
    this.#assertNoCycle(calledFrom);
    await this.#memory.conversation.ready();
    const messages = this.#memory.conversation.messages();
    if (messages.at(-1)?.role !== "assistant") return { requestId: "", status: "skipped" };
    const request = {
      requestId: crypto.randomUUID(),
      trigger,
      continuation: true,
      body: serializeObject(body, "body"),
      channel: channel ?? channelOf(messages),
      calledFrom,
      held: signal ? { signal } : {},
    };
    const end = await this.#engine.blocking.run(request, this.#cause());
    this.#continued = { requestId: request.requestId, end };
    return saved(request.requestId, end);
  }

  /** The turn that the calling code is part of: in tools and hooks. */
  get activeTurn(): ActiveTurn | undefined {
    return activeTurnOf(this);
  }

  /** The metadata that the running turn's caller gave to {@link Think.chat}. */
  get activeTurnMetadata(): Record<string, unknown> | undefined {
    if (!this.activeTurn) return undefined;
    const user = this.#memory.conversation.messages().findLast((message) => message.role === "user");
    return (user?.metadata as { turnMetadata?: Record<string, unknown> } | undefined)?.turnMetadata;
  }

  /** End one turn, waiting or running. An unknown id is ignored. */
  cancelChat(requestId: string, reason?: string): void {
    this.abortRequest(requestId, reason);
  }

  /** End the turn that runs; those that wait stay. */
  cancelAllChats(): void {
    this.abortAllRequests();
  }

  /**
   * What to pass as `calledFrom` when a tool or hook calls another agent and waits for it: with it, a call
   * that comes back to this agent is refused, and without it such a circle waits for ever.
   */
  get callChain(): CallChain {
    return callChainOf(this, this.ctx.id.toString());
  }

  /** Does the newest answer wait for an approval, or for a tool that the client runs? */
  protected hasPendingInteraction(): boolean {
    const tools = this.getTools();
    const isClientTool = (name: string): boolean => tools[name] !== undefined && tools[name].execute === undefined;
    return hasPendingInteraction(this.#memory.conversation.messages(), this.#live.message?.(), isClientTool);
  }

  /**
   * Wait until no turn waits or runs and nobody is asked for anything.
   *
   * @param options - `timeout` in milliseconds; without one it waits for as long as it takes.
   * @returns `false` when the time is over first.
   * @throws when called without a timeout from inside a turn, which would wait for itself.
   */
  protected async waitUntilStable(options?: { timeout?: number }): Promise<boolean> {
    const timeout = checkTimeout(options?.timeout);
    if (timeout === undefined) assertNotInsideTurn(this, "waitUntilStable");
    await this.#memory.conversation.ready();
    const { queue } = this.#engine;
    return waitUntilStable(
      {
        laneOccupied: () => Object.values(queue.head()).some((row) => row !== undefined),
        pendingInteraction: () => this.hasPendingInteraction(),
        now: () => Date.now(),
        wait: (ms) => scheduler.wait(ms),
      },
      timeout,
    );
  }

  /** As {@link Think.cancelChat}; an Error's message or the text of the reason is kept. */
  protected abortRequest(requestId: string, reason?: unknown): void {
    cancelTurn(this.#engine, requestId, reasonText(reason), this.#cause());
  }

  /** As {@link Think.cancelAllChats}. */
  protected abortAllRequests(): void {
    cancelRunning(this.#engine, this.#cause());
  }

  /**
   * Settings of the session that are not stored, made at each start: compaction, above all.
   *
   * @returns The session it was given.
   *
   * @example
   * configureSession(session: ThinkSession) {
   *   return session.onCompaction(createCompactFunction({ summarize: this.summarize })).compactAfter(80_000);
   * }
   */
  configureSession(session: ThinkSession): ThinkSession | Promise<ThinkSession> {
    return session;
  }

  /**
   * Context blocks of the prompt. One without a provider is stored in this object and can be written by the model.
   *
   * @example
   * configureContext() {
   *   return [{ label: "memory", description: "What the user likes", maxTokens: 2_000 }];
   * }
   */
  configureContext(): ContextConfig[] | Promise<ContextConfig[]> {
    return [];
  }

  /**
   * What a tool call becomes whose result never came. Called before a turn; the answer is stored. An answer
   * that is a tool part without a result is replaced by the default: an error.
   */
  protected repairInterruptedToolPart(part: UIMessage["parts"][number]): UIMessage["parts"][number] {
    return interruptedToolPart(part);
  }

  // --- Submissions ------------------------------------------------------------------------------

  /**
   * Accept messages durably and answer them later: in order of acceptance, one turn at a time, also after
   * a restart. Resolves before the model is called.
   *
   * @param messages - At least one message; they enter the conversation when their turn begins.
   * @returns The receipt. `accepted: false` when the id or key was known; then it is the first submission.
   * @throws {ThinkInputError} naming the field, when an argument is not acceptable.
   * @throws {SubmissionConflictError} when id and key belong to different submissions.
   * @throws {PayloadMismatchError} when `idempotency` is `"strict"` and the known submission had other messages.
   *
   * @example
   * const receipt = await agent.submitMessages(
   *   [{ id: "m1", role: "user", parts: [{ type: "text", text: "Summarise the report" }] }],
   *   { idempotencyKey: "report-42" },
   * );
   */
  async submitMessages(messages: UIMessage[], options?: SubmitMessagesOptions): Promise<SubmitMessagesResult> {
    return this.#engine.submissions.submit(checkSubmission(messages, options), this.#cause(), this.#idempotency());
  }

  /** One submission as it is now; `null` when it is unknown or deleted. */
  async inspectSubmission(submissionId: string): Promise<ThinkSubmissionInspection | null> {
    return this.#engine.submissions.inspect(submissionId);
  }

  /**
   * Submissions, newest first by acceptance.
   *
   * @throws {ThinkInputError} when a status does not exist or the limit is not a number.
   */
  async listSubmissions(options?: ListSubmissionsOptions): Promise<ThinkSubmissionInspection[]> {
    const statuses = checkStatuses(options?.status);
    const { ledger, store } = this.#engine;
    return listSubmissions(ledger, store.payloads, statuses, checkLimit(options?.limit, 50, 100));
  }

  /**
   * Wait until a submission has ended and `onSubmissionStatus` has heard of it. The wait is in memory: a
   * restart of the agent rejects it, and calling again takes it up.
   *
   * @returns The submission as it ended; after `timeoutMs` as it is then; `null` when it is unknown.
   * @throws when called from inside a turn or from `onSubmissionStatus`, which would wait for themselves.
   */
  async waitForSubmission(
    submissionId: string,
    options?: WaitForSubmissionOptions,
  ): Promise<ThinkSubmissionInspection | null> {
    return this.#engine.submissions.wait(submissionId, checkTimeout(options?.timeoutMs), () => assertMayWait(this));
  }

  /**
   * End a submission: one that waits never runs, one that runs is stopped. Effects of tools that are under
   * way may still happen.
   *
   * @param reason - Kept as the submission's error: an Error's message, anything else as text.
   */
  async cancelSubmission(submissionId: string, reason?: unknown): Promise<CancelSubmissionResult> {
    return this.#engine.submissions.cancel(submissionId, reasonText(reason), this.#cause());
  }

  /** Remove an ended submission and its content; `false` when it is unknown or has not ended. */
  async deleteSubmission(submissionId: string): Promise<boolean> {
    return this.#engine.submissions.delete(submissionId, this.#cause(), this.#idempotency());
  }

  /**
   * Remove ended submissions, those that ended first first.
   *
   * @returns How many were removed.
   * @throws {ThinkInputError} naming the field, when an option is not acceptable.
   */
  async deleteSubmissions(options?: DeleteSubmissionsOptions): Promise<number> {
    const { statuses, before, limit } = checkDeletion(options);
    return this.#engine.submissions.deleteMany(statuses, before, limit, this.#cause(), this.#idempotency());
  }

  // --- The conversation -------------------------------------------------------------------------

  /**
   * Add messages and answer them, and wait for the end of that turn.
   *
   * @param messages - Messages, or a function of the conversation that is called when the turn begins.
   * @param options - `signal` stops the turn.
   * @throws what the agent's own code threw before the model was called; a model's error is a status instead.
   */
  async saveMessages(messages: MessagesInput, options?: SaveMessagesOptions): Promise<SaveMessagesResult> {
    const requestId = crypto.randomUUID();
    return saved(requestId, await this.#wait(requestId, messages, options ?? {}));
  }

  /**
   * Store messages without a turn, as one chain. May be called from inside a turn.
   *
   * @throws {ThinkInputError} when a message is malformed or `parentId` names no message.
   */
  async addMessages(messages: MessagesInput, options: AddMessagesOptions = {}): Promise<void> {
    const resolved = typeof messages === "function" ? await messages(await this.getMessages()) : messages;
    serializeMessages(resolved, "addMessages");
    await addMessages(this.#memory.session, resolved, options);
  }

  /** The conversation's active path, oldest first: a copy. */
  getMessages(): Promise<UIMessage[]>;
  /** The same over RPC. */
  getMessages(): Promise<RpcMessage[]>;
  async getMessages(): Promise<UIMessage[]> {
    await this.#memory.conversation.ready();
    return structuredClone(this.messages);
  }

  /** The conversation's active path as it is held in memory: its newest part when it is very long. */
  get messages(): UIMessage[] {
    return [...this.#memory.conversation.messages()];
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
    return this.#memory.search(query, options?.limit);
  }

  /** The instructions of a turn: what `getSystemPrompt()` says, and the context blocks. */
  protected _buildBaseSystemPrompt(): Promise<string> {
    return this.#memory.context.systemText(this.#basePrompt());
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
    await this.#memory.conversation.sync();
    return this.messages;
  }

  /** End every turn, as {@link Think.resetTurnState} does, and delete the conversation. The log stays. */
  async clearMessages(): Promise<void> {
    const { effects } = reset(this.#engine, "clear", this.#cause());
    if (!isInsideStatusHook()) await effects;
    await this.#memory.session.clearMessages();
  }

  /**
   * End every turn at once: what runs is aborted, what waits is skipped. Messages stay.
   */
  protected resetTurnState(): void {
    reset(this.#engine, "reset", this.#cause());
  }

  // --- What is kept about the agent ---------------------------------------------------------------

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
    this.#memory.config.write(config);
  }

  /** A copy of what {@link Think.configure} kept; `null` when it kept nothing. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  getConfig<T extends AnyValue = Record<string, unknown>>(): T | null {
    return this.#memory.config.read() as T | null;
  }

  /** Steps of this start that failed and were left out, so that the agent can be reached at all. */
  getOnStartDegradations(): readonly OnStartDegradation[] {
    return this.#memory.degradations.list();
  }

  // --- The log ----------------------------------------------------------------------------------

  /**
   * The immutable events behind everything above, in pages. A page can be short, even empty, and still
   * have a cursor: it looked at its share of the log.
   *
   * @throws {ThinkInputError} naming the field, when a filter is not acceptable.
   *
   * @example
   * const { events } = await agent.auditLog({ submissionId: receipt.submissionId });
   * // TurnSubmitted, TurnClaimed, MessagesApplied, StepFinished, TurnCompleted
   */
  async auditLog(options?: AuditLogOptions): Promise<AuditLogPage> {
    return auditPage(this.#engine.store.log, checkAuditOptions(options));
  }

  /**
   * The content that an event names by digest: submitted messages, metadata, an output.
   *
   * @returns `null` when it was erased, or there never was such content.
   *
   * @example
   * const { events } = await agent.auditLog({ submissionId, types: ["TurnSubmitted"] });
   * const messages = await agent.auditPayload(events[0].data.payload);
   */
  async auditPayload(digest: string): Promise<unknown> {
    const content = this.#engine.store.payloads.get(checkDigest(digest));
    return content === undefined ? null : JSON.parse(content);
  }

  /** Check the whole log: no event missing, none changed, every payload that is still there as it was. */
  async verifyLog(): Promise<LogVerification> {
    const { log, payloads } = this.#engine.store;
    return verifyLog(log, payloads);
  }

  /**
   * Make the ledger, the queue and the outbox what the log says they are. Sets nothing off: no model is
   * called, no hook, no alarm. For the morning after a hand-made change, and for a good sleep before it.
   */
  async rebuildProjections(): Promise<ProjectionRebuild[]> {
    const { store, dispatcher } = this.#engine;
    return rebuildProjections(store, dispatcher, this.#cause());
  }

  // ----------------------------------------------------------------------------------------------

  get #engine(): Engine {
    return this.#capability.engine;
  }

  #turnPorts(messageId: () => string, now: () => number): TurnPorts {
    return {
      agent: this,
      hooks: this,
      settings: () => this.#settings(),
      conversation: this.#memory.conversation,
      context: this.#memory.context,
      care: this.#memory,
      modelHistory: () =>
        historyForModel(this.#memory.conversation.messages(), {
          truncationStep: this.truncationStep,
          media: mediaAgeing(this.mediaEviction),
        }),
      readBody: (digest) => parseMetadata(this.#engine.store.payloads.get(digest)),
      live: this.#live,
      telemetry: { emit: (type, payload) => this.#capability.emit(type, payload) },
      now,
      messageId,
    };
  }

  /** What an overridden `getSystemPrompt()` says. */
  #basePrompt(): string | undefined {
    // `agents` wraps every method of a subclass, inherited ones too: the text tells, the function does not.
    const prompt = this.getSystemPrompt();
    return prompt === DEFAULT_SYSTEM_PROMPT ? undefined : prompt;
  }

  #settings(): TurnSettings {
    return {
      getModel: () => this.getModel(),
      resolveModel: (model) => this.resolveModel(model),
      basePrompt: this.#basePrompt(),
      tools: this.getTools(),
      maxSteps: this.maxSteps,
      sendReasoning: this.sendReasoning,
      messageMetadata: this.messageMetadata,
      contextOverflow: this.contextOverflow,
      classifies: this.#overrides("classifyChatError"),
      tracing: { storeMessages: this.storeMessages, storeTools: this.storeTools },
    };
  }

  async #runAndWait({ input, ...options }: RunTurnWait): Promise<TurnResult> {
    const messages = typeof input === "function" ? input : toMessages(input ?? []);
    if (Array.isArray(messages) && messages.length === 0) {
      return { requestId: "", status: "skipped", continuation: false };
    }
    const requestId = crypto.randomUUID();
    const end = await this.#wait(requestId, messages, options);
    return { ...saved(requestId, end), ...(await this.#product(end)), continuation: false };
  }

  async #continueAndWait({ body, channel, signal, calledFrom }: RunTurnWait): Promise<TurnResult> {
    const result = await this.continueLastTurn(body, defined({ channel, signal, calledFrom }));
    const own = this.#continued?.requestId === result.requestId ? this.#continued.end : undefined;
    return { ...result, ...(own && (await this.#product(own))), continuation: true };
  }

  async #streamTurn({ input, callback, mode: _, ...options }: RunTurnStream): Promise<void> {
    const messages = typeof input === "function" ? input : toMessages(input ?? []);
    if (Array.isArray(messages) && messages.length === 0) {
      await callback.onStart({ requestId: crypto.randomUUID() });
      await callback.onDone();
      return;
    }
    await this.chat(messages, callback, options);
  }

  async #wait(
    requestId: string,
    input: MessagesInput,
    { channel, body, signal, calledFrom }: Pick<RunTurnWait, "channel" | "body" | "signal" | "calledFrom">,
  ): Promise<BlockingEnd> {
    assertNotInsideTurn(this, "programmatic");
    this.#assertNoCycle(calledFrom);
    const from = channel ?? (Array.isArray(input) ? channelOf(input) : undefined);
    const request = requestInput(input, { channel }, signal ? { signal } : {});
    const admitted = {
      requestId,
      trigger: "programmatic",
      channel: from,
      body: serializeObject(body, "body"),
      calledFrom,
    } as const;
    return this.#engine.blocking.run({ ...admitted, ...request }, this.#cause());
  }

  #assertNoCycle(calledFrom: CallChain | undefined): void {
    assertNoCycle(calledFrom, this.ctx.id.toString(), this.#engine.lane.runningTurnId);
  }

  /** What a completed turn gave: its message as it is stored, and its structured output. */
  async #product({ status, messageId, output }: BlockingEnd): Promise<Pick<TurnResult, "message" | "output">> {
    if (status !== "completed") return {};
    const message = messageId === undefined ? null : await this.#memory.session.getMessage(messageId);
    return { ...(message && { message: message as UIMessage }), ...(output !== undefined && { output }) };
  }

  #idempotency(): IdempotencyPolicy {
    return { strict: this.idempotency === "strict", retention: this.idempotencyRetention };
  }

  #overrides(name: (typeof OBSERVED)[number]): boolean {
    return overrides(Object.getPrototypeOf(this) as object, name);
  }

  /** Without an override there is nobody to tell, and nothing to remember for it. */
  #statusHook() {
    if (!this.#overrides("onSubmissionStatus")) return undefined;
    return (submission: ThinkSubmissionInspection) => this.onSubmissionStatus(submission);
  }

  #responseHook() {
    if (!this.#overrides("onChatResponse")) return undefined;
    return (response: ChatResponseResult) => this.onChatResponse(response);
  }

  /** Who is calling: a turn of this agent, a connection, or somebody over RPC. */
  #cause(): Cause {
    const causationId = `command:${crypto.randomUUID()}`;
    const turn = activeTurnOf(this);
    if (turn) return { actor: `turn:${turn.requestId}`, causationId, correlationId: turn.requestId };
    const { connection } = getCurrentAgent();
    return { actor: connection ? `connection:${connection.id}` : "rpc", causationId };
  }
}

const saved = (requestId: string, { status, error }: BlockingEnd): SaveMessagesResult => ({
  requestId,
  status,
  ...(status === "error" && error !== undefined && { error }),
});

/** Without the members that are undefined: optional is not the same as undefined. */
const defined = <T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
