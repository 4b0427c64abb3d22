import { defined } from "../defined.ts";
import type { StepRecord } from "../engine/ports.ts";
import type { StepResult, ToolSet } from "./ai-sdk.ts";

/** What the log keeps of a model step: what it cost and how its tools ended, not what was said. */
export function stepRecord(
  step: number,
  result: StepResult<ToolSet>,
  durations: ReadonlyMap<string, number>,
): StepRecord {
  const outcomes = new Map<string, "ok" | "error">();
  for (const part of result.content) {
    if (part.type === "tool-result") outcomes.set(part.toolCallId, "ok");
    if (part.type === "tool-error") outcomes.set(part.toolCallId, "error");
  }
  return {
    step,
    finishReason: result.finishReason,
    usage: defined({
      inputTokens: result.usage.inputTokens,
      outputTokens: result.usage.outputTokens,
      totalTokens: result.usage.totalTokens,
    }),
    toolCalls: result.toolCalls.map(({ toolCallId, toolName }) => {
      const durationMs = durations.get(toolCallId);
      const outcome = outcomes.get(toolCallId) ?? "none";
      return { toolCallId, toolName, outcome, ...(durationMs !== undefined && { durationMs }) };
    }),
  };
}
