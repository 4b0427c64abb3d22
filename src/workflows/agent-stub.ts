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
  // Before the run, outside of every step: what fails here fails the whole run, and the engine does not try again.
  hidden._initAgent = async (...args) => {
    origin = args;
    await persistently(() => init(...args));
  };
  const renew = async (): Promise<void> => {
    const reported = hidden._errorReported;
    await init(...origin);
    hidden._errorReported = reported;
  };
  let renewing: Promise<void> | undefined;
  // Prompts in parallel find the same stub broken.
  return () => {
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
}

/** Milliseconds before the first and the last of the tries: an agent that was reset is there again at once. */
const FIRST_WAIT_MS = 250;
const LAST_WAIT_MS = 4_000;

async function persistently(run: () => Promise<void>): Promise<void> {
  for (let wait = FIRST_WAIT_MS; ; wait *= 2) {
    try {
      await run();
      return;
    } catch (error) {
      if (wait > LAST_WAIT_MS) throw error;
      await scheduler.wait(wait);
    }
  }
}
