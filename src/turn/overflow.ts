import { report, warn } from "../engine/console.ts";
import { inSpan } from "../engine/spans.ts";
import type { ModelMessage, ToolSet } from "./ai-sdk.ts";
import { untilAborted } from "./guarded.ts";
import type { ContextOverflowConfig, PrepareStepContext } from "./hook-types.ts";
import { historyMessages } from "./model-messages.ts";
import type { TurnPorts } from "./ports.ts";

const DEFAULT_HEADROOM = 0.9;

/** Keeps one turn within what the model can take: compacts before it overflows, or after it did. */
export class OverflowGuard {
  readonly #ports: TurnPorts;
  readonly #requestId: string;
  readonly #config: ContextOverflowConfig;
  readonly #tools: () => ToolSet;
  #retries = 0;
  #compactions = 0;

  constructor(ports: TurnPorts, requestId: string, config: ContextOverflowConfig | undefined, tools: () => ToolSet) {
    this.#ports = ports;
    this.#requestId = requestId;
    this.#config = config ?? {};
    this.#tools = tools;
  }

  /**
   * After a step that used up its share: the compacted history and what this turn has added to it.
   *
   * @returns The messages for the step; `undefined` when they stay as they are.
   */
  async beforeStep(
    { steps, responseMessages }: PrepareStepContext,
    signal: AbortSignal,
  ): Promise<ModelMessage[] | undefined> {
    const { maxInputTokens = 0, headroom = DEFAULT_HEADROOM, maxCompactions = 1 } = this.#config.proactive ?? {};
    const usage = steps.at(-1)?.usage;
    const used = usage?.inputTokens ?? usage?.totalTokens ?? 0;
    if (maxInputTokens <= 0 || used < maxInputTokens * headroom || this.#compactions >= maxCompactions)
      return undefined;
    this.#compactions += 1;
    if (!(await this.#compact("proactive", signal))) return undefined;
    const history = await historyMessages(this.#ports, this.#tools());
    return [...history, ...responseMessages];
  }

  /** After the model said that the input is too long: may the turn be tried again, shortened? */
  async mayRetry(signal: AbortSignal): Promise<boolean> {
    const { reactive = false, maxRetries = 1 } = this.#config;
    if (!reactive || signal.aborted || this.#retries >= maxRetries) return false;
    this.#retries += 1;
    const shortened = await this.#compact("reactive", signal);
    return shortened && !isAborted(signal);
  }

  async #compact(reason: "proactive" | "reactive", signal: AbortSignal): Promise<boolean> {
    try {
      const { shortened } = await inSpan("compact_chat_history", { reason }, () =>
        untilAborted(() => this.#ports.care.compact(), signal),
      );
      this.#ports.telemetry.emit("chat:context:compacted", {
        reason,
        shortened,
        requestId: this.#requestId,
        ...(reason === "reactive" && { attempt: this.#retries }),
      });
      return shortened;
    } catch (error) {
      if (!signal.aborted) report("The conversation could not be compacted", error);
      return false;
    }
  }
}

/** Asked again after waiting: the compiler thinks that it cannot have changed. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;

const warned = new WeakSet<object>();

/** Says once that nothing will ever be classified as an overflow, so that `reactive` can do nothing. */
export function warnIfUnclassified(
  agent: object,
  config: ContextOverflowConfig | undefined,
  classifies: boolean,
): void {
  if (!config?.reactive || classifies || warned.has(agent)) return;
  warned.add(agent);
  warn("contextOverflow.reactive does nothing without an override of classifyChatError()");
}
