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

  /**
   * One submission as it is now.
   *
   * @returns `null` when it is unknown or deleted, or the id is that of a turn that was not submitted.
   *
   * @example
   * const submission = await agent.inspectSubmission(receipt.submissionId);
   * if (submission?.status === "error") console.error(submission.error);
   */
  async inspectSubmission(submissionId: string): Promise<ThinkSubmissionInspection | null> {
    return engineOf(this).submissions.inspect(submissionId);
  }

  /**
   * Submissions, newest first by acceptance.
   *
   * @param options - `status`: one or several; all when absent. `limit`: 50 when absent; brought into the range
   * from 1 to 100.
   * @throws {ThinkInputError} when a status does not exist or the limit is not a number.
   *
   * @example
   * const waiting = await agent.listSubmissions({ status: ["pending", "running"], limit: 10 });
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
   * @param options - `timeoutMs`: milliseconds, 0 or more; without it the wait lasts for as long as it takes.
   * @returns The submission as it ended; after `timeoutMs` as it is then; `null` when it is unknown.
   * @throws {ThinkInputError} when `timeoutMs` is not a number of 0 or more.
   * @throws when there is something to wait for and it is called from inside a turn or from `onSubmissionStatus`,
   * which would wait for themselves.
   *
   * @example
   * const ended = await agent.waitForSubmission(receipt.submissionId, { timeoutMs: 30_000 });
   * if (ended?.status === "completed") console.log(ended.messageId);
   */
  async waitForSubmission(
    submissionId: string,
    options?: WaitForSubmissionOptions,
  ): Promise<ThinkSubmissionInspection | null> {
    return engineOf(this).submissions.wait(submissionId, checkTimeout(options?.timeoutMs), () => assertMayWait(this));
  }

  /**
   * End a submission: one that waits never runs, one that runs is stopped. Effects of tools that are under
   * way may still happen. Resolves when `onSubmissionStatus` has heard of it, except when called from that hook.
   *
   * @param reason - Kept as the submission's error: an Error's message, anything else as text.
   * @returns `outcome: "cancelled"` with what it was before and whether its messages are in the conversation;
   * `"already_terminal"` when it had ended, and stays as it ended; `"not_found"` when it is unknown or deleted.
   *
   * @example
   * const result = await agent.cancelSubmission("report-42", "No longer needed");
   * if (result.outcome === "cancelled") console.log(result.previousStatus, result.messagesApplied);
   */
  async cancelSubmission(submissionId: string, reason?: unknown): Promise<CancelSubmissionResult> {
    return engineOf(this).submissions.cancel(submissionId, reasonText(reason), causeOf(this));
  }

  /**
   * Remove an ended submission and the content kept for it. Its id and key are free again, unless
   * {@link Think.idempotencyRetention} keeps the key, and the id with it. The log stays, and what is in the conversation stays there.
   *
   * @returns `false` when it is unknown or has not ended.
   * @throws {ThinkInputError} naming `idempotencyRetention`, when that setting is not acceptable.
   *
   * @example
   * if (!(await agent.deleteSubmission("report-42"))) console.log("unknown, or not ended yet");
   */
  async deleteSubmission(submissionId: string): Promise<boolean> {
    const retention = checkRetention(this.idempotencyRetention);
    return engineOf(this).submissions.delete(submissionId, causeOf(this), retention);
  }

  /**
   * Remove ended submissions, those that ended first first, as {@link Think.deleteSubmission} does.
   *
   * @param options - `status`: ended ones to remove; all four when absent. `completedBefore`: only those that ended
   * strictly before it. `limit`: 100 when absent; brought into the range from 1 to 500.
   * @returns How many were removed.
   * @throws {ThinkInputError} naming the field, when an option or `idempotencyRetention` is not acceptable.
   *
   * @example
   * const lastWeek = new Date(Date.now() - 7 * 86_400_000);
   * const removed = await agent.deleteSubmissions({ status: "completed", completedBefore: lastWeek });
   */
  async deleteSubmissions(options?: DeleteSubmissionsOptions): Promise<number> {
    const { statuses, before, limit } = checkDeletion(options);
    const retention = checkRetention(this.idempotencyRetention);
    return engineOf(this).submissions.deleteMany(statuses, before, limit, causeOf(this), retention);
  }
}
