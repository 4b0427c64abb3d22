import { Agent } from "agents";
import { saysMissing } from "../engine/workflows/instance-errors.ts";
import type { WorkflowRun, WorkflowsPort } from "../engine/workflows/port.ts";

/** `wf_` and 21 characters: the form that Agent gives to ids of its own. */
export function newWorkflowId(): string {
  return `wf_${nanoid()}`;
}

/** 126 bits, as text that any id may hold. */
function nanoid(): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return Array.from(crypto.getRandomValues(new Uint8Array(21)), (byte) => alphabet[byte & 63]).join("");
}

type Host = {
  readonly sql: Agent["sql"];
  readonly getWorkflow: Agent["getWorkflow"];
  readonly getWorkflowStatus: Agent["getWorkflowStatus"];
};

/**
 * Agent's own way with workflows, and the one place that knows its private table: an instance that exists already
 * cannot be tracked through `runWorkflow`, which makes one.
 */
export function agentWorkflows(agent: Host, env: object): WorkflowsPort {
  const binding = (name: string): Workflow | undefined => bindingOf(env, name);
  return {
    isBound: (name) => binding(name) !== undefined,
    create: async (run) => {
      const options = optionsOf(run);
      await Agent.prototype.runWorkflow.call(agent as Agent, run.workflowName as never, run.params, options);
    },
    exists: ({ workflowName, workflowId }) => exists(binding(workflowName), workflowId),
    isTracked: (workflowId) => agent.getWorkflow(workflowId) !== undefined,
    track: ({ workflowId, workflowName, metadata }) => {
      void agent.sql`
        INSERT INTO cf_agents_workflows (id, workflow_id, workflow_name, status, metadata)
        VALUES (${nanoid()}, ${workflowId}, ${workflowName}, 'queued', ${metadata ? JSON.stringify(metadata) : null})
      `;
    },
    refresh: async ({ workflowName, workflowId }) => {
      await agent.getWorkflowStatus(workflowName as never, workflowId);
    },
  };
}

function bindingOf(env: object, name: string): Workflow | undefined {
  const found: unknown = (env as Record<string, unknown>)[name];
  return found && typeof found === "object" && "create" in found && "get" in found ? (found as Workflow) : undefined;
}

async function exists(workflow: Workflow | undefined, workflowId: string): Promise<boolean> {
  if (!workflow) return false;
  try {
    const instance = await workflow.get(workflowId);
    await instance.status();
    return true;
  } catch (error) {
    if (saysMissing(error)) return false;
    throw error;
  }
}

const optionsOf = ({ workflowId, metadata, agentBinding, retention }: WorkflowRun) => ({
  id: workflowId,
  ...(metadata && { metadata }),
  ...(agentBinding !== undefined && { agentBinding }),
  ...(retention && { retention: retention as WorkflowInstanceCreateOptions["retention"] }),
});
