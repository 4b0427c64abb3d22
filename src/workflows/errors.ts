import type { ThinkSubmissionStatus } from "../types.ts";

/** How a submission can end. */
export type PromptStatus = Exclude<ThinkSubmissionStatus, "pending" | "running">;

/**
 * A prompt that gave no output. The classes below say why; this one alone means that the turn failed.
 *
 * @example
 * try {
 *   await step.prompt("report", { prompt: "Summarise the week", output: Report });
 * } catch (error) {
 *   if (error instanceof ThinkPromptError) console.log(error.submissionId, error.status, error.message);
 * }
 */
export class ThinkPromptError extends Error {
  /** The submission of the prompt: `agent.inspectSubmission()` tells more. */
  readonly submissionId: string;
  /** How the prompt ended. */
  readonly status: PromptStatus;

  constructor(message: string, submissionId: string, status: PromptStatus, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    // Said, and not taken from the class: a minifier renames classes, and the instance's status shows this name.
    this.name = "ThinkPromptError";
    this.submissionId = submissionId;
    this.status = status;
  }
}

/** The submission was cancelled. The message is the reason of the cancellation, when it had one. */
export class ThinkPromptAbortedError extends ThinkPromptError {
  constructor(submissionId: string, message = "Think prompt was aborted") {
    super(message, submissionId, "aborted");
    this.name = "ThinkPromptAbortedError";
  }
}

/** The submission ended without a turn: for example because the conversation was cleared. */
export class ThinkPromptSkippedError extends ThinkPromptError {
  constructor(submissionId: string, message = "Think prompt was skipped") {
    super(message, submissionId, "skipped");
    this.name = "ThinkPromptSkippedError";
  }
}

/** The time to wait was over first. `cause` is the error of the engine's wait. */
export class ThinkPromptTimeoutError extends ThinkPromptError {
  constructor(submissionId: string, cause: unknown) {
    super("Timed out waiting for Think prompt", submissionId, "error", cause);
    this.name = "ThinkPromptTimeoutError";
  }
}

/** The turn completed, with an output that is not what the schema asks for. `cause` is the error of Zod. */
export class ThinkPromptValidationError extends ThinkPromptError {
  constructor(submissionId: string, cause: unknown) {
    super("Think prompt returned invalid structured output", submissionId, "error", cause);
    this.name = "ThinkPromptValidationError";
  }
}
