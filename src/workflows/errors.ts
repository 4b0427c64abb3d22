import type { TerminalStatus } from "../events/index.ts";

/**
 * A prompt that did not end with its output. `submissionId` is what to look for in the agent's audit log.
 *
 * @example
 * try {
 *   return await step.prompt("classify", { prompt, output: Triage });
 * } catch (error) {
 *   if (error instanceof ThinkPromptError && error.status === "aborted") return undefined;
 *   throw error;
 * }
 */
export class ThinkPromptError extends Error {
  override readonly name: string = "ThinkPromptError";
  readonly submissionId: string;
  readonly status: TerminalStatus;

  constructor(message: string, submissionId: string, status: TerminalStatus, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.submissionId = submissionId;
    this.status = status;
  }
}

/** The submission was cancelled; the message is the reason that was given. */
export class ThinkPromptAbortedError extends ThinkPromptError {
  override readonly name: string = "ThinkPromptAbortedError";

  constructor(submissionId: string, message = "Think prompt was aborted") {
    super(message, submissionId, "aborted");
  }
}

/** A reset of the agent skipped the submission. */
export class ThinkPromptSkippedError extends ThinkPromptError {
  override readonly name: string = "ThinkPromptSkippedError";

  constructor(submissionId: string, message = "Think prompt was skipped") {
    super(message, submissionId, "skipped");
  }
}

/** The wait took longer than `timeout`. `cause` is the engine's own error. */
export class ThinkPromptTimeoutError extends ThinkPromptError {
  override readonly name: string = "ThinkPromptTimeoutError";

  constructor(submissionId: string, cause: unknown) {
    super("Timed out waiting for Think prompt", submissionId, "error", cause);
  }
}

/** The output does not fit the schema. `cause` is Zod's error, which says where. */
export class ThinkPromptValidationError extends ThinkPromptError {
  override readonly name: string = "ThinkPromptValidationError";

  constructor(submissionId: string, cause: unknown) {
    super("Think prompt returned invalid structured output", submissionId, "error", cause);
  }
}
