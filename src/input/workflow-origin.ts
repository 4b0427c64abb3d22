/** Where a workflow waits, and for what. Recorded with the turn; nobody but a workflow's own way in can set it. */
export type WorkflowOrigin = {
  readonly kind: "workflow";
  readonly workflowName: string;
  readonly workflowId: string;
  readonly stepName: string;
  readonly eventType: string;
  readonly schema?: Record<string, unknown>;
  readonly fingerprint?: string;
};
