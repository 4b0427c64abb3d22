import type { UIMessage } from "ai";
import { ThinkInputError } from "../errors.ts";
import { checkIdentifier } from "./identifiers.ts";
import { serializeMessages } from "./messages.ts";
import type { SubmissionInput } from "./submission.ts";

/** What `step.prompt()` asks the agent for. */
export type WorkflowPrompt = {
  readonly prompt: string;
  /** The same for every run of the same step: so the same prompt is submitted once. */
  readonly idempotencyKey: string;
  readonly workflow: {
    readonly name: string;
    readonly id: string;
    readonly stepName: string;
    readonly eventType: string;
  };
  /** JSON schema of the output. */
  readonly schema: Record<string, unknown>;
  readonly fingerprint: string;
};

/** Bytes of an output's schema as JSON: it is part of one row of the log, and of every request to the model. */
export const MAX_SCHEMA_BYTES = 100_000;

/** @throws {ThinkInputError} naming the field at fault, before anything is stored. */
export function checkWorkflowPrompt(request: WorkflowPrompt, messageId: string): SubmissionInput {
  const { prompt, workflow, schema, fingerprint } = request;
  if (typeof prompt !== "string" || prompt.trim() === "") {
    throw new ThinkInputError("empty", "prompt", "a prompt needs text");
  }
  const bytes = new TextEncoder().encode(JSON.stringify(schema)).byteLength;
  if (bytes > MAX_SCHEMA_BYTES) {
    const limit = `at most ${MAX_SCHEMA_BYTES} are accepted`;
    throw new ThinkInputError("too-large", "output", `output is ${bytes} bytes as a JSON schema; ${limit}`);
  }
  const message: UIMessage = { id: messageId, role: "user", parts: [{ type: "text", text: prompt }] };
  return {
    submissionId: undefined,
    idempotencyKey: checkIdentifier(request.idempotencyKey, "idempotencyKey"),
    channel: undefined,
    messageIds: [messageId],
    messages: serializeMessages([message], "a workflow's prompt"),
    metadata: undefined,
    origin: {
      kind: "workflow",
      workflowName: workflow.name,
      workflowId: workflow.id,
      stepName: workflow.stepName,
      eventType: workflow.eventType,
      schema,
      fingerprint,
    },
  };
}
