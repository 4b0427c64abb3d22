/** A workflow that was asked for and is not started yet. */
export type WorkflowRequestRow = {
  workflowId: string;
  workflowName: string;
  /** Digests. */
  params: string | null;
  metadata: string | null;
  agentBinding: string | null;
  /** JSON. */
  retention: string | null;
  /** The error that its caller got while nobody could tell whether the instance exists. */
  failure: string | null;
};
