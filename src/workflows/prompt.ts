import type { WorkflowSleepDuration } from "cloudflare:workers";
import { ThinkInputError } from "../errors.ts";
import { checkWorkflowPrompt, type WorkflowPrompt } from "../input/workflow-prompt.ts";
import { jsonSchemaOf, type OutputOf, type PromptOutput } from "./output-schema.ts";
import { outputOf, type PromptOutcome } from "./prompt-outcome.ts";
import { ThinkPromptTimeoutError } from "./errors.ts";
import { eventType, fingerprint, idempotencyKey } from "./prompt-keys.ts";

/** What a prompt asks for, and how long it waits. */
export type ThinkPromptOptions<Schema extends PromptOutput> = {
  /** The user's message. */
  prompt: string;
  /** What the answer has to fit; it is parsed by it. */
  output: Schema;
  /** How long to wait, in milliseconds or as `"5 minutes"`. Without it the engine's own limit holds. */
  timeout?: WorkflowSleepDuration | undefined;
  /** Tells prompts under one step name apart. */
  key?: string | undefined;
  /** `false`: the turn goes on when the wait is over. */
  cancelOnTimeout?: boolean | undefined;
};

/** What a prompt needs of the engine. */
export type PromptStep = {
  do(name: string, run: () => Promise<{ submissionId: string }>): Promise<{ submissionId: string }>;
  waitForEvent(
    name: string,
    options: { type: string; timeout?: WorkflowSleepDuration },
  ): Promise<{ readonly payload: unknown }>;
};

/** What a prompt needs of the agent, over RPC. */
export type PromptAgent = {
  _thinklog_submitPrompt(request: WorkflowPrompt): Promise<{ submissionId: string }>;
  cancelSubmission(submissionId: string, reason: string): Promise<unknown>;
};

/** Where the prompt is made. */
export type PromptContext = {
  readonly step: PromptStep;
  /** The run's present stub of the agent: see `renew`. */
  readonly agent: PromptAgent;
  /** Get another stub: the present one may be broken for good. */
  readonly renew: () => Promise<void>;
  readonly workflowName: string;
  readonly workflowId: string;
};

/** Submit the prompt, wait for its outcome, and make it the output or an error. */
export async function prompt<Schema extends PromptOutput>(
  context: PromptContext,
  name: string,
  options: ThinkPromptOptions<Schema>,
): Promise<OutputOf<Schema>> {
  const { step } = context;
  const request = requestOf(context, name, options);
  const { submissionId } = await step.do(`${name}:submit`, async () => {
    const receipt = await asked(context, (agent) => agent._thinklog_submitPrompt(request));
    try {
      return { submissionId: receipt.submissionId };
    } finally {
      dispose(receipt);
    }
  });
  const wait = { type: request.workflow.eventType, ...(options.timeout !== undefined && { timeout: options.timeout }) };
  // An event of the same type can be an earlier submission's, late or sent twice: it is not for this prompt.
  for (;;) {
    const event = await step.waitForEvent(`${name}:wait`, wait).catch(async (error: unknown) => {
      if (!isTimeout(error)) throw error;
      if (options.cancelOnTimeout !== false) await cancel(context, submissionId);
      throw new ThinkPromptTimeoutError(submissionId, error);
    });
    try {
      const outcome = event.payload as PromptOutcome;
      if (outcome.submissionId === submissionId) return await outputOf(options.output, outcome);
    } finally {
      dispose(event);
    }
  }
}

/** @throws before anything is submitted, when the prompt is not acceptable. */
function requestOf(
  { workflowName, workflowId }: Pick<PromptContext, "workflowName" | "workflowId">,
  stepName: string,
  { prompt: text, output, key }: ThinkPromptOptions<PromptOutput>,
): WorkflowPrompt {
  if (typeof stepName !== "string" || stepName.trim() === "") {
    throw new ThinkInputError("blank", "name", "step.prompt() needs the name of its step");
  }
  if (key !== undefined && typeof key !== "string") {
    throw new ThinkInputError("not-a-string", "key", "key must be a string");
  }
  const place = { workflowName, workflowId, stepName, key };
  const schema = jsonSchemaOf(output);
  const request = {
    prompt: text,
    idempotencyKey: idempotencyKey(place),
    workflow: {
      name: workflowName,
      id: workflowId,
      stepName,
      eventType: eventType(place),
    },
    schema,
    fingerprint: fingerprint(text, schema),
  };
  // The agent checks it too; but what it refuses, the engine would try again and again.
  checkWorkflowPrompt(request, "not-sent");
  return request;
}

/** By its name and its words: an error's class does not survive the way out of the engine. */
function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "WorkflowTimeoutError" || error.message.includes("Execution timed out after");
}

/**
 * A call of the agent, made once more when it fails: the agent may have been reset, and its stub is broken then. All
 * calls of a prompt may be repeated. What fails twice is for the engine, which tries again later.
 */
async function asked<T>(context: PromptContext, call: (agent: PromptAgent) => Promise<T>): Promise<T> {
  try {
    return await call(context.agent);
  } catch {
    await context.renew();
    return call(context.agent);
  }
}

async function cancel(context: PromptContext, submissionId: string): Promise<void> {
  try {
    dispose(await asked(context, (agent) => agent.cancelSubmission(submissionId, "Workflow prompt wait timed out")));
  } catch {
    // The time-out is what the workflow is to hear of.
  }
}

/** Results of RPC hold on to the other side until they are disposed of. */
function dispose(value: unknown): void {
  if (typeof value !== "object" || value === null || !(Symbol.dispose in value)) return;
  (value as Disposable)[Symbol.dispose]();
}
