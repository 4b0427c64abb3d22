import { createHash } from "node:crypto";

/** A run of a workflow, as `agent.runWorkflow()` names it. */
export type WorkflowRun = {
  /** The workflow's binding. */
  readonly name: string;
  /** The id of the instance. */
  readonly id: string;
};

/** 22 characters of base64url: 132 bits of SHA-256, short enough for an event type. */
export const shortHash = (text: string): string =>
  createHash("sha256").update(text, "utf8").digest("base64url").slice(0, 22);

/** The same for every run of the same step, so that the same prompt is submitted once. The text is no part of it. */
export function promptIdempotencyKey(run: WorkflowRun, stepName: string, key: string | undefined): string {
  const base = `think-workflow:${run.name}:${run.id}:${stepName}`;
  return key === undefined ? base : `${base}:${shortHash(key)}`;
}

/** The event the step waits for. No key and an empty one share it: what an event is about, its submission id says. */
export const promptEventType = (run: WorkflowRun, stepName: string, key: string | undefined): string =>
  `think-prompt-${shortHash(`${run.name}:${run.id}:${stepName}:${key ?? ""}`)}`;

/** Tells prompts apart in the log. For people: nothing is decided by it. */
export const promptFingerprint = (prompt: string, schema: Record<string, unknown>): string =>
  shortHash(JSON.stringify({ prompt, output: schema }));
