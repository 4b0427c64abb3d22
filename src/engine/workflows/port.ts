import type { LaneAlarm } from "../ports.ts";

/** A run of a workflow, as it is asked for. */
export type WorkflowRun = {
  readonly workflowName: string;
  readonly workflowId: string;
  readonly params: unknown;
  readonly metadata: Record<string, unknown> | undefined;
  readonly agentBinding: string | undefined;
  readonly retention: Readonly<Record<string, string | number>> | undefined;
};

/** Workflows, as the agent starts and tracks them. */
export type WorkflowsPort = {
  /** Is there a binding of that name? */
  readonly isBound: (workflowName: string) => boolean;
  /** Make the instance and its tracking row. */
  readonly create: (run: WorkflowRun) => Promise<void>;
  /** Is there an instance? Rejects when nobody can tell now. */
  readonly exists: (run: WorkflowRun) => Promise<boolean>;
  readonly isTracked: (workflowId: string) => boolean;
  /** The tracking row alone, for an instance that exists. Synchronous: part of a commit. */
  readonly track: (run: WorkflowRun) => void;
  /** Make the tracking row say what the platform says. */
  readonly refresh: (run: WorkflowRun) => Promise<void>;
};

/** The alarm of workflows that are to be started. */
export type WorkflowAlarm = Pick<LaneAlarm, "arm" | "disarm">;
