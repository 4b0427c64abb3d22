import { Agent } from "agents";
import type { ContextConfig } from "agents/context";
import type { LanguageModel, ToolSet, UIMessage } from "ai";
import { DEFAULT_SYSTEM_PROMPT } from "../conversation/default-prompt.ts";
import { type MediaEvictionConfig } from "../conversation/media-options.ts";
import { HYDRATION_BUDGET_BYTES } from "../conversation/read-window.ts";
import { interruptedToolPart } from "../conversation/repair.ts";
import type { ThinkSession } from "../conversation/think-session.ts";
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
} from "../turn/hook-types.ts";
import { resolveModel } from "../turn/resolve-model.ts";
import type { ChatResponseResult, ThinkSubmissionInspection } from "../types.ts";
import type { MessageConcurrency } from "../wire/concurrency.ts";

/** What a subclass says: its model, prompt and tools, its settings, and the hooks around turns. */
export abstract class ThinkHooks<
  Env extends Cloudflare.Env = Cloudflare.Env,
  State = unknown,
  Props extends Record<string, unknown> = Record<string, unknown>,
> extends Agent<Env, State, Props> {
  /**
   * Model steps in one turn, at the most; a whole number of 1 or more. A step ends with an answer or with tool
   * calls. A fraction is rounded down, less than 1 is taken for 1, and what is no number for the default.
   */
  maxSteps = 10;

  /**
   * What a known idempotency key with other messages means: `"first"` answers with the first submission
   * and sets `payloadMismatch`; `"strict"` rejects with a {@link PayloadMismatchError}.
   */
  idempotency: "first" | "strict" = "first";

  /**
   * How long the key of a deleted submission still answers retries: not at all (the default), for ever,
   * or so many milliseconds: a whole number from 0 to 1e14. With anything else deletions are refused with a
   * {@link ThinkInputError}.
   */
  idempotencyRetention: "forever" | number | undefined = undefined;

  /**
   * What a chat request means that comes over a socket while another turn waits or runs. It applies to new messages
   * only: answers that are made again, and turns that the agent's own code starts, always wait for their turn.
   */
  messageConcurrency: MessageConcurrency = "queue";

  /**
   * How long a call waits for its client's result or a person's decision, in milliseconds: then it ends as an error, on
   * record, and what the others of its kind have given goes on. `undefined`: for ever.
   */
  interactionTimeoutMs: number | undefined = undefined;

  /**
   * Milliseconds without anything in the model's stream, tools that run included, after which the turn ends as an
   * error; what was said until then is kept. 0: never. `beforeTurn` can say otherwise for one turn.
   */
  chatStreamStallTimeoutMs = 0;

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

  /** How the AI Gateway treats requests of a model named by an id: caching, logging, retries. Not async. */
  getGateway(_model: string): GatewayOptions | undefined {
    return undefined;
  }

  /**
   * A model as the AI SDK takes it.
   *
   * @throws when there is no AI binding for the id, or nothing that could be a model is given.
   */
  resolveModel(model?: ThinkModel): LanguageModel {
    return resolveModel(model, (id) => ({
      binding: this.getAIBinding(),
      gateway: this.getGateway(id),
      sessionAffinity: this.sessionAffinity,
    }));
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

  /**
   * Look at the turn as it was put together, and return what is to be different. Awaited, for as long as the turn
   * lasts. What it throws is the turn's error; what it returns and is no object is ignored, and logged.
   *
   * @example
   * beforeTurn({ body, continuation }: TurnContext): TurnConfig | void {
   *   if (continuation) return { maxSteps: 1 };
   *   if (body?.tier === "fast") return { model: "@cf/moonshotai/kimi-k2.7-code", maxOutputTokens: 500 };
   * }
   */
  beforeTurn(_context: TurnContext): TurnConfig | void | Promise<TurnConfig | void> {}

  /** The same before each model step. */
  beforeStep(_context: PrepareStepContext): StepConfig | void | Promise<StepConfig | void> {}

  /**
   * A server tool is about to run: allow it, with another input if need be, block it, or answer in its place.
   * Returning nothing allows it. Awaited, for as long as the turn lasts. What it throws is the tool's error, and the
   * turn goes on.
   *
   * @example
   * beforeToolCall({ toolName }: ToolCallContext): ToolCallDecision | void {
   *   if (toolName === "deleteFile") return { action: "block", reason: "Files are kept here." };
   *   if (toolName === "today") return { action: "substitute", output: "2026-11-30" };
   * }
   */
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
   *
   * @example
   * onChatResponse({ requestId, status, error }: ChatResponseResult) {
   *   if (status === "error") console.warn("turn", requestId, "failed:", error);
   * }
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
}
