/** Entry `thinklog/workflows`: workflows whose steps ask the agent. */
export {
  ThinkPromptAbortedError,
  ThinkPromptError,
  ThinkPromptSkippedError,
  ThinkPromptTimeoutError,
  ThinkPromptValidationError,
} from "./errors.ts";
export type { ThinkPromptOptions } from "./options.ts";
export { ThinkWorkflow, type ThinkWorkflowStep } from "./think-workflow.ts";
/** The base class, for workflows that ask nothing. */
export { AgentWorkflow } from "agents/workflows";
export type { AgentWorkflowEvent, AgentWorkflowStep, WorkflowInfo } from "agents/workflows";

export interface ThinkWorkflowStep extends AgentWorkflowStep {
  prompt<Schema extends z.ZodObject>(
    name: string,
    options: { prompt: string; output: Schema; key?: string },
  ): Promise<z.infer<Schema>>;
}

export class ThinkWorkflow<
  AgentType extends Think = Think,
  Params = unknown,
  Progress = DefaultProgress,
  Env extends Cloudflare.Env = Cloudflare.Env,
> extends AgentWorkflow<AgentType, Params, Progress, Env> {
  protected override extendStep(step: AgentWorkflowStep): ThinkWorkflowStep {
    const agent = this.agent as unknown as Think;
    return Object.assign(step, {
      prompt: async (name: string, { prompt, output, key }: { prompt: string; output: z.ZodObject; key?: string }) => {
        const answer = await step.do(key ? `${name}:${key}` : name, { retries: { limit: 0, delay: 1 } }, async () => {
          const { submissionId } = await agent._thinklog_submitPrompt({
            prompt,
            idempotencyKey: `${this.workflowId}:${name}:${key ?? ""}`,
            workflow: { name: this.workflowName, id: this.workflowId, stepName: name, eventType: `think-${name}` },
            schema: zod.toJSONSchema(output) as Record<string, unknown>,
            fingerprint: "x",
          });
          const ended = await agent.waitForSubmission(submissionId);
          if (ended?.status !== "completed") throw new Error(ended?.error ?? "no");
          const { events } = await agent.auditLog({ submissionId, types: ["TurnCompleted"] });
          return (await agent.auditPayload((events[0]?.data as { output: string }).output)) as object;
        });
        return output.parse(answer);
      },
    }) as ThinkWorkflowStep;
  }
}
