import type { TerminalStatus } from "../events/index.ts";
import {
  ThinkPromptAbortedError,
  ThinkPromptError,
  ThinkPromptSkippedError,
  ThinkPromptValidationError,
} from "./errors.ts";
import { type OutputOf, parseOutput, type PromptOutput } from "./output-schema.ts";

/** What the agent sends when the submission has ended. */
export type PromptOutcome = {
  readonly submissionId: string;
  readonly status: TerminalStatus;
  readonly output?: unknown;
  readonly error?: string;
};

/** @throws the error of the prompt's end, when it is not an output that fits. */
export async function outputOf<Schema extends PromptOutput>(
  schema: Schema,
  { submissionId, status, output, error }: PromptOutcome,
): Promise<OutputOf<Schema>> {
  switch (status) {
    case "completed": {
      const parsed = await parseOutput(schema, output);
      if (parsed.success) return parsed.data;
      throw new ThinkPromptValidationError(submissionId, parsed.error);
    }
    case "aborted":
      throw new ThinkPromptAbortedError(submissionId, error);
    case "skipped":
      throw new ThinkPromptSkippedError(submissionId, error);
    default:
      throw new ThinkPromptError(error ?? `Think prompt ended with status ${status}`, submissionId, status);
  }
}
