import { AgentWorkflow, type AgentWorkflowStep, type DefaultProgress } from "agents/workflows";
import type { WorkflowEvent } from "cloudflare:workers";
import type { Think } from "../think.ts";
import type { ThinkPromptOptions } from "./options.ts";
import { type PromptPorts, runPrompt } from "./prompt.ts";
import type { PromptOutput, PromptSchema } from "./schema-types.ts";

/** The steps of a {@link ThinkWorkflow}: those of an `AgentWorkflow`, and prompts. */
export interface ThinkWorkflowStep extends AgentWorkflowStep {
  /**
   * Ask the agent, and wait for an output that the schema accepts. Durable: the prompt is submitted once, however
   * often the workflow is replayed or the step is run again, and the wait costs nothing.
   *
   * @param name - Of the step. Prompts of one name in one run are one prompt, unless their `key`s differ.
   * @param options - What to ask and what to get; how long to wait, in milliseconds or as text (`"2 hours"`).
   * @returns The output as the schema parses it: with its defaults, and without members it does not know.
   * @throws {ThinkInputError} naming the field, when an option is not acceptable or JSON Schema cannot say what the
   * schema says (`output.day`). Nothing was submitted.
   * @throws {ThinkPromptTimeoutError} when the time was over. The submission is cancelled, unless `cancelOnTimeout`
   * is `false`.
   * @throws {ThinkPromptAbortedError} when the submission was cancelled.
   * @throws {ThinkPromptSkippedError} when it ended without a turn.
   * @throws {ThinkPromptValidationError} when the output is not what the schema asks for.
   * @throws {ThinkPromptError} when the turn failed: all of the four above extend it.
   *
   * @example
   * const { title } = await step.prompt("title", { prompt: "Name this report", output: z.object({ title: z.string() }) });
   */
  prompt<Schema extends PromptSchema>(name: string, options: ThinkPromptOptions<Schema>): Promise<PromptOutput<Schema>>;
}

/**
 * A workflow of an agent, with steps that ask the agent. Start it with `agent.runWorkflow()`.
 *
 * @typeParam AgentType - The agent that starts it: `this.agent` has its methods.
 * @typeParam Params - What `runWorkflow()` is given.
 *
 * @example
 * export class Weekly extends ThinkWorkflow<Assistant, { week: number }> {
 *   async run(event: AgentWorkflowEvent<{ week: number }>, step: ThinkWorkflowStep) {
 *     const output = z.object({ summary: z.string() });
 *     return step.prompt("summary", { prompt: `Summarise week ${event.payload.week}`, output, timeout: "1 hour" });
 *   }
 * }
 */
export class ThinkWorkflow<
  AgentType extends Think = Think,
  Params = unknown,
  ProgressType = DefaultProgress,
  Env extends Cloudflare.Env = Cloudflare.Env,
> extends AgentWorkflow<AgentType, Params, ProgressType, Env> {
  protected override extendStep(step: AgentWorkflowStep, _event: WorkflowEvent<Params>): ThinkWorkflowStep {
    const ports: PromptPorts = {
      run: { name: this.workflowName, id: this.workflowId },
      // The methods of a stub have types of their own; these two are what they come down to.
      agent: () => this.agent as unknown as ReturnType<PromptPorts["agent"]>,
      step: step as unknown as PromptPorts["step"],
    };
    const prompt: ThinkWorkflowStep["prompt"] = (name, options) => runPrompt(ports, name, options);
    // The engine's own object, with one member more: the runtime may look at its class.
    return Object.assign(step, { prompt });
  }
}
