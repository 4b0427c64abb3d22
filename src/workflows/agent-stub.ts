import type { AgentWorkflow } from "agents/workflows";

/** Members of `AgentWorkflow` that are not documented: how a run gets its stub, and whether its failure was told. */
type Hidden = {
  _initAgent: (...args: unknown[]) => Promise<void>;
  _errorReported: boolean;
};

/**
 * A stub of a Durable Object is broken for good once the object was reset under it, and a run has one stub for all of
 * its life. So a run has to be able to get another one; tests/workflows/chaos.worker.test.ts holds `agents` to it.
 *
 * @returns Gets this run a new stub of its agent.
 */
export function renewableAgent(workflow: AgentWorkflow): () => Promise<void> {
  const hidden = workflow as unknown as Hidden;
  const init = hidden._initAgent.bind(workflow);
  let origin: unknown[] = [];
  hidden._initAgent = async (...args) => {
    origin = args;
    await init(...args);
  };
  return async () => {
    const reported = hidden._errorReported;
    await init(...origin);
    hidden._errorReported = reported;
  };
}
