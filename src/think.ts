import { Agent, getCurrentAgent } from "agents";
import { type Session, Sessions } from "agents/sessions";
import type { LanguageModel, ToolSet, UIMessage } from "ai";
import { addMessages } from "./conversation/add-messages.ts";
import { SessionConversation } from "./conversation/session-conversation.ts";
import type { Cause } from "./engine/cause.ts";
import { EngineCapability } from "./engine/capability.ts";
import type { Engine } from "./engine/engine.ts";
import { listSubmissions } from "./engine/ledger.ts";
import { rebuildProjections } from "./engine/rebuild.ts";
import { reset } from "./engine/reset.ts";
import { isInsideStatusHook } from "./engine/status-hook-scope.ts";
import type { IdempotencyPolicy } from "./engine/submissions.ts";
import { checkAuditOptions } from "./input/audit.ts";
import { checkDeletion } from "./input/deletion.ts";
import { checkLimit, checkStatuses } from "./input/filters.ts";
import { checkSubmission } from "./input/submission.ts";
import { serializeMessages } from "./input/messages.ts";
import { checkTimeout } from "./input/timeout.ts";
import { verifyLog } from "./log/index.ts";
import { auditPage } from "./queries/index.ts";
import { type AnswerSettings } from "./turn/answer.ts";
import { assertMayWait, assertNotInsideTurn } from "./turn/nested-calls.ts";
import { reasonText } from "./turn/reason-text.ts";
import { runTurn } from "./turn/run-turn.ts";
import { activeTurnOf } from "./turn/turn-scope.ts";
import type {
  AddMessagesOptions,
  AuditLogOptions,
  AuditLogPage,
  CancelSubmissionResult,
  DeleteSubmissionsOptions,
  ListSubmissionsOptions,
  LogVerification,
  MessagesInput,
  ProjectionRebuild,
  SaveMessagesOptions,
  SaveMessagesResult,
  SubmitMessagesOptions,
  SubmitMessagesResult,
  ThinkSubmissionInspection,
  WaitForSubmissionOptions,
} from "./types.ts";

const DEFAULT_SYSTEM_PROMPT = `You are a helpful assistant.
Work out what the person needs and answer that, in plain words.
Use the tools you have when they give a better answer than memory, and say so when something is uncertain.
Make no change that was not asked for. When you are done, say briefly what you did.`;

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

  /** The conversations stored in this object. */
  readonly sessions: Sessions;

  readonly #session: Session;
  readonly #conversation: SessionConversation;
  readonly #capability: EngineCapability;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.sessions = new Sessions({ reservedMetadataKeys: ["channel", "turnMetadata"] });
    this.#session = this.sessions.session();
    this.#conversation = new SessionConversation(this.sessions);
    const clock = { now: () => Date.now() };
    const ids = { uuid: () => crypto.randomUUID(), salt: () => crypto.randomUUID() };
    this.#capability = new EngineCapability({
      clock,
      ids,
      conversation: this.#conversation,
      statusHook: this.#statusHook(),
      runner: (claimed, record, signal) =>
        runTurn(
          {
            agent: this,
            conversation: this.#conversation,
            telemetry: { emit: (type, payload) => this.#capability.emit(type, payload) },
            now: clock.now,
            messageId: ids.uuid,
            settings: () => this.#settings(),
          },
          claimed,
          record,
          signal,
        ),
    });
    this.lifecycle.use(this.sessions).use(this.#capability);
  }

  /** The conversation that turns are part of. */
  get session(): Session {
    return this.#session;
  }

  // --- What a subclass says ---------------------------------------------------------------------

  /** The model that answers. Called for each turn. */
  getModel(): LanguageModel {
    throw new Error(
      'Override getModel() to return a model id string (e.g. "@cf/moonshotai/kimi-k2.7-code" or "openai/gpt-5.5") ' +
        "or a LanguageModel.",
    );
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
    assertMayWait(this);
    return this.#engine.submissions.wait(submissionId, checkTimeout(options?.timeoutMs));
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
    assertNotInsideTurn(this, "programmatic");
    return this.#engine.blocking.run(messages, options?.signal, this.#cause());
  }

  /**
   * Store messages without a turn, as one chain. May be called from inside a turn.
   *
   * @throws {ThinkInputError} when a message is malformed or `parentId` names no message.
   */
  async addMessages(messages: MessagesInput, options: AddMessagesOptions = {}): Promise<void> {
    const resolved = typeof messages === "function" ? await messages(await this.getMessages()) : messages;
    serializeMessages(resolved, "addMessages");
    await addMessages(this.#session, resolved, options);
  }

  /** The conversation's active path, oldest first: a copy. */
  async getMessages(): Promise<UIMessage[]> {
    await this.#conversation.ready();
    return [...this.#conversation.messages()];
  }

  /** End every turn, as {@link Think.resetTurnState} does, and delete the conversation. The log stays. */
  async clearMessages(): Promise<void> {
    const { effects } = reset(this.#engine, "clear", this.#cause());
    if (!isInsideStatusHook()) await effects;
    await this.#session.clearMessages();
  }

  /**
   * End every turn at once: what runs is aborted, what waits is skipped. Messages stay.
   */
  protected resetTurnState(): void {
    reset(this.#engine, "reset", this.#cause());
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

  #settings(): AnswerSettings {
    return {
      model: this.getModel(),
      system: this.getSystemPrompt(),
      tools: this.getTools(),
      maxSteps: this.maxSteps,
    };
  }

  #idempotency(): IdempotencyPolicy {
    return { strict: this.idempotency === "strict", retention: this.idempotencyRetention };
  }

  /** Without an override there is nobody to tell, and nothing to remember for it. */
  #statusHook() {
    if (this.onSubmissionStatus === Think.prototype.onSubmissionStatus) return undefined;
    return (submission: ThinkSubmissionInspection) => this.onSubmissionStatus(submission);
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
