import { AgentWorkflow, type AgentWorkflowEvent, type AgentWorkflowStep } from "agents/workflows";
import type { WorkflowAgent } from "./workflow-agent.ts";

/** What a run of the workflow is to do. */
export type TestRun = {
  readonly does?:
    | "complete"
    | "fail"
    | "fail-reported"
    | "approve"
    | "wait"
    | "talk"
    | "state"
    | "prompt"
    | "throw-text";
  readonly note?: string;
};

/** How often the first step of each instance ran: more than once, and there were two of them. */
const begun = new Map<string, number>();
export const begunOf = (workflowId: string): number => begun.get(workflowId) ?? 0;

/** What runs saw of their params, and who they are. */
const params = new Map<string, unknown>();
const identities = new Map<string, unknown>();
export const paramsOf = (workflowId: string): unknown => params.get(workflowId);
export const identityOf = (workflowId: string): unknown => identities.get(workflowId);

export class TestRuns extends AgentWorkflow<WorkflowAgent, TestRun> {
  override async run(event: AgentWorkflowEvent<TestRun>, step: AgentWorkflowStep): Promise<unknown> {
    const { instanceId, payload } = event;
    await step.do("begin", async () => {
      begun.set(instanceId, begunOf(instanceId) + 1);
      params.set(instanceId, payload);
      identities.set(instanceId, [this.workflowName, this.workflowId]);
    });
    switch (payload.does) {
      case "fail":
        throw new Error("the workflow failed");
      case "fail-reported":
        await step.reportError("reported");
        throw new Error("the workflow failed");
      case "approve": {
        const approved = await this.waitForApproval<{ by: string }>(step, { timeout: "1 minute" });
        await step.reportComplete({ approved });
        return approved;
      }
      case "wait": {
        const heard = await step.waitForEvent<{ word: string }>("wait", { type: "word", timeout: "1 minute" });
        await step.reportComplete({ word: heard.payload.word });
        return undefined;
      }
      case "talk":
        await this.reportProgress({ step: "talk", percent: 0.5 });
        await step.sendEvent({ type: "talked" });
        await step.waitForEvent("wait", { type: "word", timeout: "1 minute" });
        return undefined;
      case "state":
        await step.updateAgentState({ one: 1 });
        await step.mergeAgentState({ two: 2 });
        await step.reportComplete();
        return undefined;
      case "prompt":
        await step.do("ask", async () => {
          const workflow = { name: this.workflowName, id: instanceId, stepName: "ask", eventType: "answer" };
          const asked = { prompt: "Say hello", idempotencyKey: `${instanceId}:ask`, workflow };
          await this.agent._thinklog_submitPrompt({ ...asked, schema: { type: "object" }, fingerprint: "f" });
        });
        throw new Error("the workflow failed after the prompt");
      case "throw-text":
        // oxlint-disable-next-line typescript/only-throw-error -- What a workflow may do.
        throw "only text";
      default:
        await step.reportComplete({ note: payload.note });
        return payload.note;
    }
  }
}
