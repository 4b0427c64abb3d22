/**
 * What is wrong with a call's arguments. Nothing was stored.
 *
 * @example
 * try {
 *   await agent.submitMessages(messages, { idempotencyKey: " " });
 * } catch (error) {
 *   if (error instanceof ThinkInputError) console.log(error.code, error.field); // "blank" "idempotencyKey"
 * }
 */
export class ThinkInputError extends TypeError {
  override readonly name: string = "ThinkInputError";
  /** A stable word for the kind of fault: `blank`, `too-large`, `invalid-role` … */
  readonly code: string;
  /** The argument at fault, with its path: `messages[2].role`. */
  readonly field: string;

  constructor(code: string, field: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.field = field;
  }
}

/** A submission id and an idempotency key that belong to different submissions. Nothing was stored. */
export class SubmissionConflictError extends Error {
  override readonly name = "SubmissionConflictError";
  readonly code = "conflict";
  readonly field = "idempotencyKey";

  constructor() {
    super("submissionId and idempotencyKey refer to different submissions");
  }
}

/** With `idempotency: "strict"`: the key is known, but with another payload. Nothing was stored. */
export class PayloadMismatchError extends Error {
  override readonly name = "PayloadMismatchError";
  readonly code = "payload-mismatch";
  readonly field = "messages";

  constructor() {
    super("The idempotency key was used before with other messages");
  }
}
