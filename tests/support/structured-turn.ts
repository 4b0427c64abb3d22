import type { UIMessage } from "ai";
import { callTool, type Reply } from "../../src/testing/index.ts";
import type { AuditLogPage, Think, ThinkSubmissionInspection } from "../../src/index.ts";
import type { TurnAgent } from "./turn-agent.ts";

export const TOOL = "think_final_answer";

export const SCHEMA = {
  type: "object",
  properties: { title: { type: "string" } },
  required: ["title"],
};

/** The model gives its final answer. */
export const finalAnswer = (input: unknown, toolName = TOOL): Reply => callTool(toolName, input);

/** A call whose arguments are this text, whatever it is. */
export const rawAnswer = (input: string): Reply => ({
  steps: finalAnswer({}).steps.map((step) => ("toolName" in step && "input" in step ? { ...step, input } : step)),
});

/** The prompt of a workflow's step, as `step.prompt()` submits it. */
export const promptOf = (stepName = "summarise", schema: Record<string, unknown> = SCHEMA) => ({
  prompt: `Please ${stepName}`,
  idempotencyKey: `key-${stepName}`,
  workflow: { name: "REPORT", id: "w1", stepName, eventType: "thinklog-prompt" },
  schema,
  fingerprint: "f1",
});

type Agent = Pick<Think, "waitForSubmission" | "_thinklog_submitPrompt"> & {
  auditLog: (options?: Parameters<Think["auditLog"]>[0]) => Promise<AuditLogPage>;
  auditPayload: (digest: string) => Promise<unknown>;
};

/** Submit a workflow's prompt and wait for its end; `output` is what is kept of it. */
export async function promptTurn(agent: Agent, prompt = promptOf()) {
  const { submissionId } = await agent._thinklog_submitPrompt(prompt);
  const submission = (await agent.waitForSubmission(submissionId)) as ThinkSubmissionInspection;
  const digest = await outputDigest(agent, submissionId);
  return { ...submission, digest, output: digest && (await agent.auditPayload(digest)) };
}

export async function outputDigest(agent: Pick<Agent, "auditLog">, submissionId: string): Promise<string | undefined> {
  const { events } = await agent.auditLog({ submissionId, types: ["TurnCompleted"] });
  return (events[0]?.data as { output?: string } | undefined)?.output;
}

/** What the model was offered in each of its calls: the tools by name, the choice, and the system text. */
export const asked = (agent: TurnAgent) =>
  agent.model.doStreamCalls.map(({ tools, toolChoice, prompt }) => ({
    tools: (tools ?? []).map(({ name }) => name),
    choice: toolChoice?.type === "tool" ? toolChoice.toolName : toolChoice?.type,
    system: prompt.flatMap(({ role, content }) => (role === "system" ? [content] : [])).join("\n"),
  }));

/** Types of the parts of the stored messages, with their roles. */
export const stored = async (agent: { getMessages(): Promise<UIMessage[]> }): Promise<string[]> =>
  (await agent.getMessages()).map(({ role, parts }) => `${role}: ${parts.map(({ type }) => type).join(", ")}`);
