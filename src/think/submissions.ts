import type { UIMessage } from "ai";
import { listSubmissions } from "../engine/ledger.ts";
import { checkDeletion } from "../input/deletion.ts";
import { checkLimit, checkStatuses } from "../input/filters.ts";
import { checkRetention } from "../input/retention.ts";
import { checkSubmission } from "../input/submission.ts";
import { checkTimeout } from "../input/timeout.ts";
import { assertMayWait } from "../turn/nested-calls.ts";
import { reasonText } from "../turn/reason-text.ts";
import type {
  CancelSubmissionResult,
  DeleteSubmissionsOptions,
  ListSubmissionsOptions,
  SubmitMessagesOptions,
  SubmitMessagesResult,
  ThinkSubmissionInspection,
  WaitForSubmissionOptions,
} from "../types.ts";
import { causeOf } from "./cause.ts";
import { engineOf } from "./internals.ts";
import { ThinkConversation } from "./conversation.ts";

/** Turns that are accepted now and run later. */
export abstract class ThinkSubmissions<
  Env extends Cloudflare.Env = Cloudflare.Env,
  State = unknown,
  Props extends Record<string, unknown> = Record<string, unknown>,
> extends ThinkConversation<Env, State, Props> {
  /**
   * Accept messages durably and answer them later: in order of acceptance, one turn at a time, also after
   * a restart. Resolves before the model is called.
   *
   * @param messages - At least one message; they enter the conversation when their turn begins.
   * @returns The receipt. `accepted: false` when the id or key was known; then it is the first submission.
   * @throws {ThinkInputError} naming the field, when an argument is not acceptable.
   * @throws {SubmissionConflictError} when id and key belong to different submissions.
   * @throws {PayloadMismatchError} when `idempotency` is `"strict"` and the known submission had other messages.
   *
   * @example
   * const receipt = await agent.submitMessages(
   *   [{ id: "m1", role: "user", parts: [{ type: "text", text: "Summarise the report" }] }],
   *   { idempotencyKey: "report-42" },
   * );
   */
  async submitMessages(messages: UIMessage[], options?: SubmitMessagesOptions): Promise<SubmitMessagesResult> {
    const strict = this.idempotency === "strict";
    return engineOf(this).acceptance.accept(checkSubmission(messages, options), causeOf(this), strict);
  }

  /** One submission as it is now; `null` when it is unknown or deleted. */
  async inspectSubmission(submissionId: string): Promise<ThinkSubmissionInspection | null> {
    return engineOf(this).submissions.inspect(submissionId);
  }

  /**
   * Submissions, newest first by acceptance.
   *
   * @throws {ThinkInputError} when a status does not exist or the limit is not a number.
   */
  async listSubmissions(options?: ListSubmissionsOptions): Promise<ThinkSubmissionInspection[]> {
    const statuses = checkStatuses(options?.status);
    const { ledger, store } = engineOf(this);
    return listSubmissions(ledger, store.payloads, statuses, checkLimit(options?.limit, 50, 100));
  }

  /**
   * Wait until a submission has ended and `onSubmissionStatus` has heard of it. The wait is in memory: a
   * restart of the agent rejects it, and calling again takes it up.
   *
   * @returns The submission as it ended; after `timeoutMs` as it is then; `null` when it is unknown.
   * @throws when called from inside a turn or from `onSubmissionStatus`, which would wait for themselves.
   */
  async waitForSubmission(
    submissionId: string,
    options?: WaitForSubmissionOptions,
  ): Promise<ThinkSubmissionInspection | null> {
    return engineOf(this).submissions.wait(submissionId, checkTimeout(options?.timeoutMs), () => assertMayWait(this));
  }

  /**
   * End a submission: one that waits never runs, one that runs is stopped. Effects of tools that are under
   * way may still happen.
   *
   * @param reason - Kept as the submission's error: an Error's message, anything else as text.
   */
  async cancelSubmission(submissionId: string, reason?: unknown): Promise<CancelSubmissionResult> {
    return engineOf(this).submissions.cancel(submissionId, reasonText(reason), causeOf(this));
  }

  /** Remove an ended submission and its content; `false` when it is unknown or has not ended. */
  async deleteSubmission(submissionId: string): Promise<boolean> {
    const retention = checkRetention(this.idempotencyRetention);
    return engineOf(this).submissions.delete(submissionId, causeOf(this), retention);
  }

  /**
   * Remove ended submissions, those that ended first first.
   *
   * @returns How many were removed.
   * @throws {ThinkInputError} naming the field, when an option is not acceptable.
   */
  async deleteSubmissions(options?: DeleteSubmissionsOptions): Promise<number> {
    const { statuses, before, limit } = checkDeletion(options);
    const retention = checkRetention(this.idempotencyRetention);
    return engineOf(this).submissions.deleteMany(statuses, before, limit, causeOf(this), retention);
  }
}
