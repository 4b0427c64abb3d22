import type { LanguageModel, ToolSet } from "ai";
import {
  type ChatErrorClassification,
  type ChatErrorContext,
  type ChatResponseResult,
  type ChunkContext,
  type PrepareStepContext,
  type StepConfig,
  type StepContext,
  Think,
  type ThinkSubmissionInspection,
  type ToolCallContext,
  type ToolCallDecision,
  type ToolCallResultContext,
  type TurnConfig,
  type TurnContext,
} from "../../src/index.ts";
import { scriptedModel, type Script, text } from "../../src/testing/index.ts";

/** What a test says about the hooks and tools of one agent, by its name. */
export type TurnSetup = {
  script: Script;
  tools: ToolSet;
  beforeTurn: (context: TurnContext, agent: TurnAgent) => TurnConfig | void | Promise<TurnConfig | void>;
  beforeStep: (context: PrepareStepContext) => StepConfig | void | Promise<StepConfig | void>;
  beforeToolCall: (context: ToolCallContext) => ToolCallDecision | void | Promise<ToolCallDecision | void>;
  afterToolCall: (context: ToolCallResultContext) => void | Promise<void>;
  onStepEnd: (context: StepContext) => void | Promise<void>;
  onChunk: (context: ChunkContext) => void | Promise<void>;
  onChatResponse: (result: ChatResponseResult, agent: TurnAgent) => void | Promise<void>;
  onChatError: (error: unknown, context?: ChatErrorContext) => unknown;
  onSubmissionStatus: (submission: ThinkSubmissionInspection) => void | Promise<void>;
  configure: (agent: TurnAgent) => void;
};

const setups = new Map<string, Partial<TurnSetup>>();

export const setUpTurns = (name: string, setup: Partial<TurnSetup>): void => {
  setups.set(name, { ...setups.get(name), ...setup });
};

/** An agent whose every hook a test can say. */
export class TurnAgent extends Think {
  get #setup(): Partial<TurnSetup> {
    return setups.get(this.name) ?? {};
  }

  override onStart(): void {
    this.#setup.configure?.(this);
  }

  /** What every turn asks, unless the test says otherwise; it remembers all calls. */
  readonly model = scriptedModel((call) => (this.#setup.script ?? (() => text("Hello", " there")))(call));

  override getModel(): LanguageModel {
    return this.model;
  }

  override getTools(): ToolSet {
    return this.#setup.tools ?? {};
  }

  override beforeTurn(context: TurnContext) {
    return this.#setup.beforeTurn?.(context, this);
  }

  override beforeStep(context: PrepareStepContext) {
    return this.#setup.beforeStep?.(context);
  }

  override beforeToolCall(context: ToolCallContext) {
    return this.#setup.beforeToolCall?.(context);
  }

  override afterToolCall(context: ToolCallResultContext) {
    return this.#setup.afterToolCall?.(context);
  }

  override onStepEnd(context: StepContext) {
    return this.#setup.onStepEnd?.(context);
  }

  override onChunk(context: ChunkContext) {
    return this.#setup.onChunk?.(context);
  }

  override onChatResponse(result: ChatResponseResult) {
    return this.#setup.onChatResponse?.(result, this);
  }

  override onChatError(error: unknown, context?: ChatErrorContext): unknown {
    return this.#setup.onChatError ? this.#setup.onChatError(error, context) : error;
  }

  override classifyChatError(error: unknown): ChatErrorClassification | void {
    return error instanceof Error && error.message.includes("too long") ? "context_overflow" : undefined;
  }

  protected override onSubmissionStatus(submission: ThinkSubmissionInspection) {
    return this.#setup.onSubmissionStatus?.(submission);
  }

  /** Protected members, for tests that call them as a subclass would. */
  continueTurn(...args: Parameters<Think["continueLastTurn"]>) {
    return this.continueLastTurn(...args);
  }

  stable(options?: { timeout?: number }) {
    return this.waitUntilStable(options);
  }

  pending(): boolean {
    return this.hasPendingInteraction();
  }

  abortAll(): void {
    this.abortAllRequests();
  }

  abortOne(requestId: string, reason?: unknown): void {
    this.abortRequest(requestId, reason);
  }

  resetTurns(): void {
    this.resetTurnState();
  }
}
