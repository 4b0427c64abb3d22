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

const CONFLICTS = {
  idempotencyKey: "submissionId and idempotencyKey refer to different submissions",
  submissionId: "submissionId is the id of a turn that was not submitted",
};

/**
 * A submission id and an idempotency key that belong to different submissions; or, with the field
 * `submissionId`, an id that a turn of another kind has. Nothing was stored.
 */
export class SubmissionConflictError extends Error {
  override readonly name = "SubmissionConflictError";
  readonly code = "conflict";
  readonly field: "idempotencyKey" | "submissionId";

  constructor(field: "idempotencyKey" | "submissionId" = "idempotencyKey") {
    super(CONFLICTS[field]);
    this.field = field;
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
