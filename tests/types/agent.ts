/** Agents as applications write them: three lines, generics, hooks, fields of any name. */
import type { LanguageModel, ToolSet } from "ai";
import {
  type ChatErrorClassification,
  type ChatErrorContext,
  type ChatResponseResult,
  type ChunkContext,
  type PrepareStepContext,
  type SaveMessagesOptions,
  type SaveMessagesResult,
  type StepConfig,
  type StepContext,
  Think,
  type ThinkModel,
  type ThinkSubmissionInspection,
  type ToolCallContext,
  type ToolCallDecision,
  type ToolCallResultContext,
  type TurnConfig,
  type TurnContext,
  type TurnTrigger,
} from "../../src/index.ts";
import type { Equal, Expect } from "./expect.ts";

export interface Env {
  readonly SECRET: string;
  readonly MINIMAL: DurableObjectNamespace<Minimal>;
  readonly COUNTER: DurableObjectNamespace<Counter>;
}

export class Minimal extends Think<Env> {
  override getModel() {
    return "@cf/moonshotai/kimi-k2.7-code";
  }
}

/** Without type arguments too. */
export class Bare extends Think {
  override getModel(): LanguageModel {
    return "openai/gpt-5.5";
  }
}

type State = { readonly count: number };
type Props = { tenant: string };

export class Counter extends Think<Env, State, Props> {
  override initialState: State = { count: 0 };

  override async onStart(props?: Props): Promise<void> {
    this.setState({ count: this.state.count + (props?.tenant.length ?? 0) });
  }

  // @ts-expect-error - the state has a count
  wrongState = (): void => this.setState({ total: 1 });

  readonly types = (): [
    Expect<Equal<typeof this.env.SECRET, string>>,
    Expect<Equal<typeof this.state, State>>,
    Expect<Equal<typeof this.maxSteps, number>>,
  ] => [true, true, true];
}

/** Every hook with the types that it is documented with. */
export class Hooked extends Think<Env> {
  override maxSteps = 5;
  override sendReasoning = false;
  override contextOverflow = { reactive: true, proactive: { maxInputTokens: 100_000 } };
  override messageMetadata = () => ({ model: "mine" });

  override getModel(): ThinkModel {
    return "openai/gpt-5.5";
  }
  override getSystemPrompt(): string {
    return "Be brief.";
  }
  override getTools(): ToolSet {
    return {};
  }
  override async beforeTurn({ system, messages, continuation, body }: TurnContext): Promise<TurnConfig> {
    return { instructions: `${system} ${String(body?.["tone"])}`, messages: continuation ? messages : [] };
  }
  override beforeStep({ stepNumber }: PrepareStepContext): StepConfig | void {
    if (stepNumber > 2) return { toolChoice: "none", model: "openai/gpt-5.5-mini" };
  }
  override beforeToolCall({ toolName }: ToolCallContext): ToolCallDecision | void {
    if (toolName === "delete") return { action: "block", reason: "Not today." };
  }
  override afterToolCall(context: ToolCallResultContext): void {
    if (context.success) this.#seen(context.output);
    else this.#seen(context.error);
  }
  override onStepEnd({ usage, finishReason }: StepContext): void {
    this.#seen([usage.totalTokens, finishReason]);
  }
  override onStepFinish(_context: StepContext): void {}
  override async onChunk({ chunk }: ChunkContext): Promise<void> {
    if (chunk.type === "text-delta") this.#seen(chunk.text);
  }
  override async onChatResponse({ message, status }: ChatResponseResult): Promise<void> {
    this.#seen([message.parts.length, status]);
  }
  override onChatError(error: unknown, context?: ChatErrorContext): unknown {
    return context?.stage === "stream" ? new Error("Please try again.") : error;
  }
  override classifyChatError(error: unknown): ChatErrorClassification | void {
    if (error instanceof RangeError) return "context_overflow";
  }
  protected override async onSubmissionStatus({ submissionId, status }: ThinkSubmissionInspection): Promise<void> {
    this.#seen([submissionId, status]);
  }
  protected override async continueLastTurn(
    body?: Record<string, unknown>,
    options?: SaveMessagesOptions & { trigger?: TurnTrigger },
  ): Promise<SaveMessagesResult> {
    return super.continueLastTurn({ ...body, again: true }, options);
  }

  #seen(_value: unknown): void {}
}

/** Hooks may be narrower than they are declared: no argument, no promise, one literal. */
export class Terse extends Minimal {
  override beforeTurn = () => ({ maxSteps: 3 });
  override beforeToolCall = () => ({ action: "allow" }) as const;
  override classifyChatError = () => "transient" as const;
}

export class Wrong extends Minimal {
  override beforeTurn(): TurnConfig {
    // @ts-expect-error - a temperature is a number
    return { temperature: "warm" };
  }
  // @ts-expect-error - there is no such decision
  override beforeToolCall() {
    return { action: "perhaps" } as const;
  }
}

/** Fields named like our insides are the application's own. */
export class Crowded extends Minimal {
  engine = "mine";
  log = ["mine"];
  ledger = "mine";
  lane = 7;
  outbox = new Map<string, number>();
  memory = "mine";
  conversation = "mine";
  capability = null;
  clock = (): string => "mine";
  cause = undefined;
  continued = 1n;
  turns = new Set(["mine"]);
  wait = (): number => 1;
  settings = { mine: true };
}
