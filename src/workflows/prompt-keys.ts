import { createHash } from "node:crypto";

/** What tells one prompt from all others: they are seen in dashboards, and must not change between releases. */

/** A prompt's place: the workflow's binding, the instance, the step, and the caller's own key. */
export type PromptPlace = {
  readonly workflowName: string;
  readonly workflowId: string;
  readonly stepName: string;
  readonly key: string | undefined;
};

const HASH_LENGTH = 22;

const hash = (text: string): string =>
  createHash("sha256").update(text, "utf8").digest("base64url").slice(0, HASH_LENGTH);

/** The same for every run of the same step: by it the agent finds the first submission. */
export function idempotencyKey({ workflowName, workflowId, stepName, key }: PromptPlace): string {
  const place = `think-workflow:${workflowName}:${workflowId}:${stepName}`;
  return key === undefined ? place : `${place}:${hash(key)}`;
}

/**
 * The type of the event that the prompt waits for. Made of the idempotency key where there is a `key`: no two prompts
 * of a run may wait for one type, or the first of them takes the other's event.
 */
export const eventType = (place: PromptPlace): string => {
  const { workflowName, workflowId, stepName, key } = place;
  const seed = key === undefined ? `${workflowName}:${workflowId}:${stepName}:` : idempotencyKey(place);
  return `think-prompt-${hash(seed)}`;
};

/**
 * The steps of a prompt. The engine tells equal names apart by the order of their calls, which in a replay can be
 * another one for prompts in parallel: so a `key` is part of the name.
 */
export const stepNames = ({ stepName, key }: PromptPlace): { readonly submit: string; readonly wait: string } => {
  const suffix = key === undefined ? "" : `:${hash(key)}`;
  return { submit: `${stepName}:submit${suffix}`, wait: `${stepName}:wait${suffix}` };
};

/** Says whether two prompts asked the same; for whoever reads the log. */
export const fingerprint = (prompt: string, schema: object): string => hash(JSON.stringify({ prompt, schema }));
