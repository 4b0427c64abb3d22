import type { Tool } from "./ai-sdk.ts";
import { observing, untilAborted } from "./guarded.ts";
import type { ToolCallContext, ToolCallDecision, ToolCallResultContext } from "./hook-types.ts";
import type { TurnHooks } from "./hooks.ts";
import type { StepLog } from "./step-log.ts";

export type ExecuteOptions = Parameters<NonNullable<Tool["execute"]>>[1];

export type ToolPorts = {
  readonly hooks: Pick<TurnHooks, "beforeToolCall" | "afterToolCall">;
  readonly requestId: string;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly log: StepLog;
};

/** Run the tool with this input, or take this as its output. */
type ToolDecision =
  | { readonly kind: "run"; readonly input: unknown }
  | { readonly kind: "answered"; readonly output: unknown };

/** One tool call on its way through `beforeToolCall`, the log, and `afterToolCall`. */
export class ToolCallGate {
  readonly #ports: ToolPorts;
  readonly #call: { toolName: string; input: unknown };
  readonly #options: ExecuteOptions;
  readonly #startedAt: number;
  #told = false;

  constructor(ports: ToolPorts, toolName: string, input: unknown, options: ExecuteOptions) {
    this.#ports = ports;
    this.#call = { toolName, input };
    this.#options = options;
    this.#startedAt = ports.now();
  }

  /** Ask the hook. Only a tool that really runs is put on record as started. */
  async open(): Promise<ToolDecision> {
    const { hooks, signal, log } = this.#ports;
    const decision = await untilAborted(() => hooks.beforeToolCall(this.#context()), signal);
    switch (decision?.action) {
      case "block":
        return { kind: "answered", output: decision.reason ?? blockedText(this.#call.toolName) };
      case "substitute":
        return { kind: "answered", output: decision.output };
      default:
        log.toolStarts({ toolCallId: this.#options.toolCallId, toolName: this.#call.toolName });
        return { kind: "run", input: inputOf(decision) ?? this.#call.input };
    }
  }

  async succeeded(output: unknown): Promise<void> {
    await this.#tell({ success: true, output, toolOutput: { type: "tool-result", output } });
  }

  async failed(error: unknown): Promise<void> {
    await this.#tell({ success: false, error, toolOutput: { type: "tool-error", error } });
  }

  #context(): ToolCallContext {
    const { toolCallId, messages, abortSignal } = this.#options;
    const { requestId } = this.#ports;
    return {
      type: "tool-call",
      ...this.#call,
      toolCallId,
      messages,
      abortSignal,
      requestId,
      stepNumber: undefined,
    } as ToolCallContext;
  }

  /** Once for each call. */
  async #tell(outcome: object): Promise<void> {
    if (this.#told) return;
    this.#told = true;
    const { toolCallId, messages } = this.#options;
    const { requestId, now, log, hooks, signal } = this.#ports;
    const durationMs = now() - this.#startedAt;
    log.toolFinished(toolCallId, durationMs);
    const call = { type: "tool-call", ...this.#call, toolCallId, messages, requestId, stepNumber: log.current };
    const context: unknown = { ...call, toolExecutionMs: durationMs, durationMs, ...outcome };
    await observing("afterToolCall", () => hooks.afterToolCall(context as ToolCallResultContext), signal);
  }
}

const inputOf = (decision: ToolCallDecision | void): unknown =>
  decision?.action === "allow" ? decision.input : undefined;

const blockedText = (toolName: string): string => `Tool "${toolName}" was blocked by beforeToolCall.`;
