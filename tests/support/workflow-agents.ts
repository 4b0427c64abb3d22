import { env } from "cloudflare:workers";
import { getAgentByName } from "agents";
import type { AuditEvent } from "../../src/index.ts";
import * as agents from "./agents.ts";
import type { WorkflowAgent } from "./workflow-agent.ts";

const namespace = (env as unknown as { WorkflowAgent: DurableObjectNamespace<WorkflowAgent> }).WorkflowAgent;

/** The object of a name, which nobody calls yet. */
export const asleep = (name: string): agents.AgentClient =>
  namespace.get(namespace.idFromName(name)) as unknown as agents.AgentClient;

export const runs = (env as unknown as { TEST_RUNS: Workflow }).TEST_RUNS;

/** A fresh agent of its own name. */
export async function freshWorkflowAgent(): Promise<{ name: string; agent: agents.AgentClient }> {
  const name = `workflows-${crypto.randomUUID().slice(0, 8)}`;
  return { name, agent: await workflowAgent(name) };
}

export const workflowAgent = async (name: string): Promise<agents.AgentClient> =>
  (await getAgentByName(namespace as never, name)) as unknown as agents.AgentClient;

/** Code inside the object: for methods whose results do not pass RPC, and for protected ones. */
export const inside = <R>(
  agent: agents.AgentClient,
  run: (instance: WorkflowAgent, state: DurableObjectState) => R | Promise<R>,
): Promise<R> => agents.inside(agent, run as never) as Promise<R>;

/** Kill the object in the middle of what it does. Does not wake it again. */
export const kill = (agent: agents.AgentClient): Promise<void> =>
  inside(agent, (_, state) => state.abort("crashed by the test")).catch(() => {}) as Promise<void>;

/** The events of a workflow, without their envelopes. */
export async function storyOf(agent: agents.AgentClient, workflowId: string): Promise<AuditEvent[]> {
  const { events } = await agent.auditLog({ limit: 500 });
  return events.filter(({ stream }) => stream === `workflow/${workflowId}`);
}
