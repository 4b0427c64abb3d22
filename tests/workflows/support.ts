import type { WorkflowPrompt } from "../../src/input/workflow-prompt.ts";
import type { PromptContext } from "../../src/workflows/prompt.ts";

type Disposed = { readonly disposed: number };

/** An RPC result that counts how often it was disposed of. */
export function disposable<T extends object>(value: T): T & Disposed {
  let disposed = 0;
  return Object.defineProperties(value, {
    [Symbol.dispose]: { value: () => void (disposed += 1) },
    disposed: { get: () => disposed },
  }) as T & Disposed;
}

export type Sent = { readonly payload: unknown } | Error;

/** A workflow's surroundings: `events` are what its waits get, one after the other. */
export function surroundings(events: Sent[], workflow = { workflowName: "TRIAGE", workflowId: "w1" }) {
  const steps: string[] = [];
  const results: unknown[] = [];
  const requests: WorkflowPrompt[] = [];
  const cancelled: unknown[][] = [];
  const receipts: (object & Disposed)[] = [];
  const waits: object[] = [];
  const renewals: number[] = [];
  const context: PromptContext = {
    ...workflow,
    open: new Map(),
    renew: async () => void renewals.push(renewals.length + 1),
    step: {
      do: async (name, run) => {
        steps.push(name);
        const result = await run();
        results.push(result);
        return result;
      },
      waitForEvent: async (name, options) => {
        steps.push(name);
        waits.push(options);
        const next = events.shift();
        if (next === undefined) throw new Error("Nothing more was sent");
        if (next instanceof Error) throw next;
        return next;
      },
    },
    agent: {
      _thinklog_submitPrompt: async (request) => {
        requests.push(request);
        const receipt = disposable({ submissionId: "s1", notifies: true });
        receipts.push(receipt);
        return receipt;
      },
      cancelSubmission: async (...args) => {
        cancelled.push(args);
        return disposable({ outcome: "cancelled" });
      },
    },
  };
  return { context, steps, results, requests, cancelled, receipts, waits, renewals };
}

export const timedOut = (): Error =>
  Object.assign(new Error("Execution timed out after 5000ms"), { name: "WorkflowTimeoutError" });
