// A workflow as the API and the console show it.
import type { AuditEvent, ThinkSubmissionStatus } from "../../../src/index.ts";
import type { StepState } from "../../workflows/note.ts";

export type WorkflowKind = "triage" | "review";
export type WorkflowRequest = { kind: "triage"; text: string } | { kind: "review"; files: string[] };

/** As the platform has it; `waiting` also while a person is to decide. */
export type WorkflowState =
  | "queued"
  | "running"
  | "paused"
  | "errored"
  | "terminated"
  | "complete"
  | "waiting"
  | "waitingForPause"
  | "rollingBack"
  | "unknown";

export type WorkflowSummary = {
  workflowId: string;
  kind: WorkflowKind;
  /** What it was started with, in a line. */
  about: string;
  state: WorkflowState;
  /** A person is to approve or reject. */
  waitsForApproval: boolean;
  error?: string;
  createdAt: number;
  completedAt?: number;
};

export type WorkflowStepView = {
  step: string;
  state: StepState;
  result?: {} | null;
  beganAt: number;
  endedAt?: number;
};

/** A prompt of the workflow: the submission it became. */
export type WorkflowPromptView = {
  submissionId: string;
  stepName: string;
  /** `deleted` when the ledger does not know it any more. */
  status: ThinkSubmissionStatus | "deleted";
  error?: string;
  output?: {} | null;
};

/** An entry of the outbox: that the outcome of a prompt is told to the workflow. */
export type NotificationView = {
  notificationId: string;
  submissionId: string;
  workflowId: string;
  state: "due" | "delivered" | "parked";
  attempts: number;
  error?: string;
  /** When it is tried next; epoch milliseconds. */
  dueAt?: number;
};

export type WorkflowDetail = {
  workflow: WorkflowSummary;
  steps: WorkflowStepView[];
  submissions: WorkflowPromptView[];
  notifications: NotificationView[];
  /** Its own events, and those of its submissions, in the order of the log. */
  events: AuditEvent[];
};
