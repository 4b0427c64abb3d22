// Workflows, read again and again: what they do is not all in the agent's log.
import { useCallback, useEffect, useState } from "react";
import { type Api, asFailure, type WorkflowDetail, type WorkflowSummary } from "../api.ts";

const EVERY_MS = 700;

type Shown = { workflows: WorkflowSummary[]; detail: WorkflowDetail | undefined; problem: string | undefined };

export function useWorkflows(api: Api, id: string | undefined): Shown & { look: () => void } {
  const [shown, setShown] = useState<Shown>({ workflows: [], detail: undefined, problem: undefined });
  const [looks, setLooks] = useState(0);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let current = true;
    const read = async () => {
      try {
        const [workflows, detail] = await Promise.all([
          api.workflows(),
          id === undefined ? undefined : api.workflow(id),
        ]);
        if (current) setShown({ workflows, detail, problem: undefined });
      } catch (error) {
        const problem = asFailure(error).message;
        if (current) setShown((before) => ({ ...before, problem }));
      }
      if (current) timer = setTimeout(() => void read(), EVERY_MS);
    };
    void read();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [api, id, looks]);

  const look = useCallback(() => setLooks((count) => count + 1), []);
  const detail = shown.detail?.workflow.workflowId === id ? shown.detail : undefined;
  return { ...shown, detail, look };
}
