import { messageOf } from "../../engine/message-of.ts";
import { type StepResult, ToolChoiceViolationError, type ToolSet } from "../ai-sdk.ts";

/** Bytes of an output as JSON: an event of a workflow may have 1 MiB, and says more than the output. */
export const MAX_OUTPUT_BYTES = 1_000_000;

export type FinalCall = StepResult<ToolSet>["toolCalls"][number];

/** The output of a turn as JSON, or why there is none. Nothing is repaired, and nothing is read out of prose. */
export type FinalOutput = { readonly final: string } | { readonly error: unknown };

/** Does this error of the AI SDK say that the model ended a step without a call, although one was required? */
export const isNoCall = (error: unknown, toolName: string): boolean =>
  ToolChoiceViolationError.isInstance(error) &&
  (error.toolChoice.type === "required" ||
    (error.toolChoice.type === "tool" && error.toolChoice.toolName === toolName));

/** What the last step's last call of the tool gives. Whether it fits the schema is for the workflow to say. */
export function outputOf(call: FinalCall | undefined, toolName: string): FinalOutput {
  if (!call) return { error: new Error(`Model ended the turn without calling the ${toolName} tool`) };
  if (call.invalid) return { error: new Error(messageOf(call.error), { cause: call.error }) };
  const final = JSON.stringify(call.input);
  const bytes = new TextEncoder().encode(final).byteLength;
  if (bytes <= MAX_OUTPUT_BYTES) return { final };
  return {
    error: new Error(
      `The output is too large: the input of the ${toolName} tool is ${bytes} bytes as JSON, ` +
        `and a workflow takes at most ${MAX_OUTPUT_BYTES}`,
    ),
  };
}
