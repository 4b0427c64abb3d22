import type { UIMessage } from "ai";
import { ThinkInputError } from "../errors.ts";
import type { SubmitMessagesOptions } from "../types.ts";
import type { WorkflowOrigin } from "./workflow-origin.ts";
import { checkIdentifier } from "./identifiers.ts";
import { checkMessageIds, serializeMessages } from "./messages.ts";
import { stampMessages } from "./stamp.ts";
import { serializeObject } from "./json-object.ts";

/** Checked arguments of a submission, with the JSON that is to be stored. */
export type SubmissionInput = {
  readonly submissionId: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly channel: string | undefined;
  readonly messageIds: readonly string[];
  readonly messages: string;
  readonly metadata: string | undefined;
  /** `submission` when absent. */
  readonly trigger?: "scheduled";
  /** The workflow that waits for the outcome. Only a workflow's own way in sets it: public metadata is data. */
  readonly origin?: WorkflowOrigin;
};

/** @throws {ThinkInputError} naming the field at fault, before anything is stored. */
export function checkSubmission(messages: UIMessage[], options?: SubmitMessagesOptions | null): SubmissionInput {
  if (Array.isArray(messages) && messages.length === 0) {
    throw new ThinkInputError("empty", "messages", "submitMessages requires at least one message");
  }
  const channel = checkIdentifier(options?.channel, "channel");
  const stamped = Array.isArray(messages) ? stampMessages(messages, { channel }) : messages;
  const text = serializeMessages(stamped, "submitMessages");
  checkMessageIds(messages);
  return {
    submissionId: checkIdentifier(options?.submissionId, "submissionId"),
    idempotencyKey: checkIdentifier(options?.idempotencyKey, "idempotencyKey"),
    channel,
    messageIds: messages.map((message) => message.id),
    messages: text,
    metadata: serializeObject(options?.metadata, "metadata"),
  };
}
