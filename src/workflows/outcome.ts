import {
  type PromptStatus,
  ThinkPromptAbortedError,
  ThinkPromptError,
  ThinkPromptSkippedError,
  ThinkPromptValidationError,
} from "./errors.ts";
import type { PromptOutput, PromptSchema } from "./schema-types.ts";

/** What the agent tells the workflow, once a prompt has ended. */
export type PromptOutcome = {
  readonly submissionId: string;
  readonly status: PromptStatus;
  /** Of a completed turn: not yet known to be what the schema asks for. */
  readonly output?: unknown;
  /** Why it did not complete. */
  readonly error?: string;
};

/**
 * The output as the schema gives it: defaults filled in, unknown members gone, refinements asked, async ones too.
 *
 * @throws {ThinkPromptError} or a subclass, when there is no such output.
 */
export async function outputOf<Schema extends PromptSchema>(
  schema: Schema,
  { submissionId, status, output, error }: PromptOutcome,
): Promise<PromptOutput<Schema>> {
  if (status === "aborted") throw new ThinkPromptAbortedError(submissionId, error);
  if (status === "skipped") throw new ThinkPromptSkippedError(submissionId, error);
  if (status !== "completed") {
    throw new ThinkPromptError(error ?? `Think prompt ended with status ${status}`, submissionId, status);
  }
  const parsed = await schema.safeParseAsync(output);
  if (!parsed.success) throw new ThinkPromptValidationError(submissionId, parsed.error);
  return parsed.data as PromptOutput<Schema>;
}
