import type { WorkflowSleepDuration } from "cloudflare:workers";
import { ThinkInputError } from "../errors.ts";
import { checkWorkflowPrompt, type WorkflowPrompt } from "../input/workflow-prompt.ts";
import { jsonSchemaOf, type OutputOf, type PromptOutput } from "./output-schema.ts";
import { outputOf, type PromptOutcome } from "./prompt-outcome.ts";
import { ThinkPromptError, ThinkPromptTimeoutError } from "./errors.ts";
import { eventType, fingerprint, idempotencyKey, stepNames } from "./prompt-keys.ts";

/** What a prompt asks for, and how long it waits. */
export type ThinkPromptOptions<Schema extends PromptOutput> = {
  /** The user's message. */
  prompt: string;
  /** What the answer has to fit; it is parsed by it. */
  output: Schema;
  /** How long to wait, in milliseconds or as `"5 minutes"`. Without it the engine's own limit holds. */
  timeout?: WorkflowSleepDuration | undefined;
  /** Tells prompts under one step name apart, in turn and in parallel. */
  key?: string | undefined;
  /** `false`: the turn goes on when the wait is over. */
  cancelOnTimeout?: boolean | undefined;
};

/** What the agent answers to a prompt. `notifies`: its end will be told to the workflow. */
export type PromptReceipt = { readonly submissionId: string; readonly notifies?: boolean };

/** What a prompt needs of the engine. */
export type PromptStep = {
  do(name: string, run: () => Promise<PromptReceipt>): Promise<PromptReceipt>;
  waitForEvent(
    name: string,
    options: { type: string; timeout?: WorkflowSleepDuration },
  ): Promise<{ readonly payload: unknown }>;
};

/** What a prompt needs of the agent, over RPC. */
export type PromptAgent = {
  _thinklog_submitPrompt(request: WorkflowPrompt): Promise<PromptReceipt>;
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
  /** Prompts of this run that have not ended, by their idempotency key. */
  readonly open: Map<string, Promise<PromptOutcome>>;
};

/** Submit the prompt, wait for its outcome, and make it the output or an error. */
export async function prompt<Schema extends PromptOutput>(
  context: PromptContext,
  name: string,
  options: ThinkPromptOptions<Schema>,
): Promise<OutputOf<Schema>> {
  const { request, steps } = requestOf(context, name, options);
  const { open } = context;
  const key = request.idempotencyKey;
  // The same prompt made again meanwhile comes after it: the engine gives an event to one waiter only. It makes the same
  // steps, though it will find the outcome there: in a replay it may be the first, or alone.
  const before = open.get(key);
  const outcome = before
    ? before.catch(unlessEngineFailed).then(() => outcomeOf(context, request, steps, options))
    : outcomeOf(context, request, steps, options);
  open.set(key, outcome);
  try {
    return await outputOf(options.output, await outcome);
  } finally {
    if (open.get(key) === outcome) open.delete(key);
  }
}

/** What the engine throws (it pauses, say) ends all that wait; the end of one prompt is its own. */
function unlessEngineFailed(error: unknown): void {
  if (!(error instanceof ThinkPromptError)) throw error;
}

async function outcomeOf(
  context: PromptContext,
  request: WorkflowPrompt,
  steps: { readonly submit: string; readonly wait: string },
  { timeout, cancelOnTimeout = true }: Pick<ThinkPromptOptions<PromptOutput>, "timeout" | "cancelOnTimeout">,
): Promise<PromptOutcome> {
  const { step } = context;
  const { submissionId, notifies } = await step.do(steps.submit, async () => {
    const receipt = await asked(context, (agent) => agent._thinklog_submitPrompt(request));
    try {
      return { submissionId: receipt.submissionId, ...(!receipt.notifies && { notifies: false }) };
    } finally {
      dispose(receipt);
    }
  });
  if (notifies === false) throw new ThinkPromptError(TAKEN, submissionId, "error");
  const wait = { type: request.workflow.eventType, ...(timeout !== undefined && { timeout }) };
  // An event of the same type can be an earlier submission's, late or sent twice: it is not for this prompt.
  for (;;) {
    const event = await step.waitForEvent(steps.wait, wait).catch(async (error: unknown) => {
      if (!isTimeout(error)) throw error;
      if (cancelOnTimeout) await cancel(context, submissionId);
      throw new ThinkPromptTimeoutError(submissionId, error);
    });
    const outcome = event.payload as PromptOutcome;
    dispose(event);
    if (outcome.submissionId === submissionId) return outcome;
  }
}

/** What the engine takes. */
const MAX_STEP_NAME = 256;

const TAKEN =
  "The idempotency key of this prompt is that of a submission which tells no workflow of its end: it was submitted by other means";

/** @throws before anything is submitted, when the prompt is not acceptable. */
function requestOf(
  { workflowName, workflowId }: Pick<PromptContext, "workflowName" | "workflowId">,
  stepName: string,
  { prompt: text, output, key }: ThinkPromptOptions<PromptOutput>,
): { readonly request: WorkflowPrompt; readonly steps: { readonly submit: string; readonly wait: string } } {
  if (typeof stepName !== "string" || stepName.trim() === "") {
    throw new ThinkInputError("blank", "name", "step.prompt() needs the name of its step");
  }
  if (key !== undefined && typeof key !== "string") {
    throw new ThinkInputError("not-a-string", "key", "key must be a string");
  }
  // Its hash is of UTF-8, in which all lone surrogates are one character.
  if (key?.isWellFormed() === false) {
    throw new ThinkInputError("not-unicode", "key", "key has a lone surrogate: half of a character");
  }
  if (/\p{Cc}/u.test(stepName)) {
    throw new ThinkInputError("not-printable", "name", "name has a control character, which the engine refuses");
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
  const steps = stepNames(place);
  if (steps.submit.length > MAX_STEP_NAME) {
    const message = `name has ${stepName.length} characters; with what is added, ${MAX_STEP_NAME} are accepted`;
    throw new ThinkInputError("too-long", "name", message);
  }
  return { request, steps };
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
