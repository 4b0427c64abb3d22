import type { WorkflowPrompt } from "../input/workflow-prompt.ts";
import { ThinkPromptTimeoutError } from "./errors.ts";
import { outputJsonSchema } from "./json-schema.ts";
import { checkPromptOptions, type ThinkPromptOptions } from "./options.ts";
import { outputOf, type PromptOutcome } from "./outcome.ts";
import { promptEventType, promptFingerprint, promptIdempotencyKey, type WorkflowRun } from "./prompt-keys.ts";
import { release, releasing } from "./release.ts";
import type { PromptOutput, PromptSchema } from "./schema-types.ts";
import { isTimeout } from "./timeout.ts";

type Submitted = { submissionId: string };
type Wait = { type: string; timeout?: NonNullable<ThinkPromptOptions<PromptSchema>["timeout"]> };

/** What a prompt needs of the world. `step` and `agent` are on the other side of RPC calls. */
export type PromptPorts = {
  readonly run: WorkflowRun;
  readonly agent: () => {
    _thinklog_submitPrompt(request: WorkflowPrompt): Promise<Submitted>;
    cancelSubmission(submissionId: string, reason: string): Promise<unknown>;
  };
  readonly step: {
    do(name: string, callback: () => Promise<Submitted>): Promise<Submitted>;
    waitForEvent(name: string, options: Wait): Promise<{ readonly payload: PromptOutcome }>;
  };
};

/** Submit, wait, read the outcome. Whatever is wrong with the arguments is said before there is a step. */
export async function runPrompt<Schema extends PromptSchema>(
  ports: PromptPorts,
  name: string,
  options: ThinkPromptOptions<Schema>,
): Promise<PromptOutput<Schema>> {
  checkPromptOptions(name, options);
  const request = requestOf(ports.run, name, options);
  const submitted = await ports.step.do(`${name}:submit`, () => submit(ports, request));
  const submissionId = await releasing(submitted, (result) => result.submissionId);
  const { timeout } = options;
  const wait: Wait = { type: request.workflow.eventType, ...(timeout !== undefined && { timeout }) };
  const event = await eventOf(ports, name, wait, submissionId).catch(async (error: unknown) => {
    // Only time that is over is a reason to stop the agent: the engine pauses and fails for reasons of its own.
    if (!isTimeout(error)) throw error;
    if (options.cancelOnTimeout !== false) await cancel(ports, submissionId);
    throw new ThinkPromptTimeoutError(submissionId, error);
  });
  return releasing(event, ({ payload }) => outputOf(options.output, payload));
}

function requestOf(run: WorkflowRun, stepName: string, options: ThinkPromptOptions<PromptSchema>): WorkflowPrompt {
  const { prompt, output, key } = options;
  const schema = outputJsonSchema(output);
  return {
    prompt,
    idempotencyKey: promptIdempotencyKey(run, stepName, key),
    workflow: { name: run.name, id: run.id, stepName, eventType: promptEventType(run, stepName, key) },
    schema,
    fingerprint: promptFingerprint(prompt, schema),
  };
}

/** The step keeps what this returns for as long as the workflow exists: the id, and nothing else. */
const submit = async (ports: PromptPorts, request: WorkflowPrompt): Promise<Submitted> =>
  releasing(await ports.agent()._thinklog_submitPrompt(request), ({ submissionId }) => ({ submissionId }));

/** The event of this submission. One of another, late or a duplicate, is waited past: with the whole time again. */
async function eventOf({ step }: PromptPorts, name: string, wait: Wait, submissionId: string) {
  for (;;) {
    const event = await step.waitForEvent(`${name}:wait`, wait);
    if (event.payload?.submissionId === submissionId) return event;
    release(event);
  }
}

async function cancel(ports: PromptPorts, submissionId: string): Promise<void> {
  try {
    release(await ports.agent().cancelSubmission(submissionId, "Workflow prompt wait timed out"));
  } catch {
    // The workflow is told of the timeout either way.
  }
}
