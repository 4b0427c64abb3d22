import { ThinkInputError } from "../errors.ts";
import type { ClientToolOutcome, ClientToolSchema } from "./adapter.ts";
import { checkClientTools } from "./client-tools.ts";
import { type Fields, jsonOf, optionalText, requireIdentifier } from "./fields.ts";

/** A tool that ran in the browser has ended. */
export type ToolResult = {
  readonly kind: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly result: ClientToolOutcome;
  readonly autoContinue: boolean;
  readonly clientTools: ClientToolSchema[] | undefined;
};

/** A person has decided on a tool call that asks first. */
export type ToolApproval = {
  readonly kind: "tool-approval";
  readonly toolCallId: string;
  readonly approved: boolean;
  readonly autoContinue: boolean;
};

/** @throws {ThinkInputError} naming the field. */
export function readToolResult(frame: Fields): ToolResult {
  return {
    kind: "tool-result",
    toolCallId: requireIdentifier(frame["toolCallId"], "toolCallId"),
    toolName: optionalText(frame["toolName"], "toolName") ?? "",
    result: outcomeOf(frame),
    autoContinue: frame["autoContinue"] === true,
    clientTools: checkClientTools(frame["clientTools"]),
  };
}

/** @throws {ThinkInputError} naming the field. */
export function readToolApproval(frame: Fields): ToolApproval {
  const toolCallId = requireIdentifier(frame["toolCallId"], "toolCallId");
  const { approved } = frame;
  if (typeof approved !== "boolean") {
    throw new ThinkInputError("not-a-boolean", "approved", "approved must be true or false");
  }
  return { kind: "tool-approval", toolCallId, approved, autoContinue: frame["autoContinue"] === true };
}

/** JSON has no `undefined`: a tool that gave nothing gave `null`, for a result without an output would be none. */
function outcomeOf({ state = "output-available", output = null, errorText }: Fields): ClientToolOutcome {
  if (state === "output-available") {
    jsonOf(output, "output");
    return { state, output };
  }
  if (state !== "output-error") {
    throw new ThinkInputError("invalid-state", "state", "state must be output-available or output-error");
  }
  const text = optionalText(errorText, "errorText");
  return text === undefined ? { state } : { state, errorText: text };
}
