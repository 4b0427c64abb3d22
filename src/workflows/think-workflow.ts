import { AgentWorkflow, type AgentWorkflowStep, type DefaultProgress } from "agents/workflows";
import type { WorkflowEvent } from "cloudflare:workers";
import type { z } from "zod";
import type * as z3 from "zod/v3";
import type { Think } from "../think.ts";
import type { PromptOutput } from "./output-schema.ts";
import { renewableAgent } from "./agent-stub.ts";
import { prompt, type PromptAgent, type PromptContext, type PromptStep, type ThinkPromptOptions } from "./prompt.ts";

/** A workflow's step that can also ask the agent. */
export interface ThinkWorkflowStep extends AgentWorkflowStep {
  /**
   * Run a whole turn of the agent and wait for its typed output. Run again (a retry, a restarted instance, the same
   * name without `key`), it finds the first submission: nothing is asked twice.
   *
   * @param name - Of the step; its parts are seen as `<name>:submit` and `<name>:wait`, with a hash of `key` behind.
   * @returns The output as `options.output` parses it: defaults filled in, unknown keys gone.
   * @throws {ThinkInputError} naming the field, when an option is not acceptable; nothing is submitted then.
   * @throws {Error} naming the path, when `output` has no JSON schema; nothing is submitted then.
   * @throws {ThinkPromptValidationError} when the output does not fit.
   * @throws {ThinkPromptTimeoutError} when `options.timeout` is over; the submission is cancelled, unless
   * `cancelOnTimeout` is `false`.
   * @throws {ThinkPromptError} or its kind for an end that is not `completed`. Other errors of the engine pass through.
   *
   * @example
   * const review = await step.prompt("review", { prompt: `Review ${file}`, output: Review, key: file });
   */
  prompt<Schema extends z.ZodObject>(name: string, options: ThinkPromptOptions<Schema>): Promise<z.infer<Schema>>;
  /** The same, with a schema of Zod 3. */
  prompt<Schema extends z3.AnyZodObject>(name: string, options: ThinkPromptOptions<Schema>): Promise<z3.infer<Schema>>;
}

/**
 * A Workflow that an agent starts with `runWorkflow`, and that can ask the agent by `step.prompt()`.
 *
 * @example
 * export class Triage extends ThinkWorkflow<Assistant, { issue: string }> {
 *   async run(event: AgentWorkflowEvent<{ issue: string }>, step: ThinkWorkflowStep) {
 *     return step.prompt("classify", { prompt: event.payload.issue, output: z.object({ label: z.string() }) });
 *   }
 * }
 */
export class ThinkWorkflow<
  AgentType extends Think = Think,
  Params = unknown,
  ProgressType = DefaultProgress,
  Env extends Cloudflare.Env = Cloudflare.Env,
> extends AgentWorkflow<AgentType, Params, ProgressType, Env> {
  readonly #renewAgent: () => Promise<void>;

  constructor(ctx: ExecutionContext, env: Env) {
    super(ctx, env);
    this.#renewAgent = renewableAgent(this as unknown as AgentWorkflow);
  }

  /** Called by the base class before `run`. The step stays the object it is: the engine may know it by its class. */
  protected override extendStep(step: AgentWorkflowStep, event: WorkflowEvent<Params>): ThinkWorkflowStep {
    const extended = super.extendStep(step, event) as ThinkWorkflowStep;
    const context = this.#promptContext(extended);
    extended.prompt = (name: string, options: ThinkPromptOptions<PromptOutput>) => prompt(context, name, options);
    return extended;
  }

  #promptContext(step: ThinkWorkflowStep): PromptContext {
    const currentAgent = (): PromptAgent => this.agent as unknown as PromptAgent;
    return {
      step: step as unknown as PromptStep,
      get agent() {
        return currentAgent();
      },
      renew: this.#renewAgent,
      workflowName: this.workflowName,
      workflowId: this.workflowId,
      open: new Map(),
    };
  }
}
