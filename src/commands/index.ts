export { answerTool, expireInteraction, type InteractionState } from "./answer-tool.ts";
export { applyMessages, type ApplyMessages } from "./apply-messages.ts";
export { cancel, type Cancel, type CancelRefusal } from "./cancel.ts";
export { claim, type Claim, type ClaimRefusal } from "./claim.ts";
export { type Decision } from "./decision.ts";
export { deleteTurn, type DeleteTurn } from "./delete-turn.ts";
export { linkMessage, type LinkMessage, type LinkRefusal } from "./link-message.ts";
export {
  recordDelivery,
  type Deliver,
  type DeliveryResult,
  type DueNotification,
  type NotificationState,
} from "./notify.ts";
export {
  type AfterSlot,
  endHandler,
  endOccurrence,
  type EndOccurrence,
  type Occurrence,
  type OccurrenceOutcome,
  startOccurrence,
} from "./occurrence.ts";
export { finishStep, startToolCall } from "./record-progress.ts";
export { recover, type Recover } from "./recover.ts";
export { replayNotification, type ReplayState } from "./replay.ts";
export { resendNotification, type ResendState } from "./resend.ts";
export { resetLane, type LaneState, type ResetLane } from "./reset-lane.ts";
export { type LostClaim } from "./running.ts";
export { declareTask, type DeclareTask, rejectTask, removeTask, type ScheduledTaskState } from "./scheduled-task.ts";
export { settle, type Outcome, type Settle } from "./settle.ts";
export { skip, type Skip, SKIPPED_BY_RESET } from "./skip.ts";
export { submit, type Submit, type SubmitRefusal, type SubmitState } from "./submit.ts";
export * from "./turn-state.ts";
export {
  endWorkflowRequest,
  leaveUnclear,
  type EndRequest,
  reportWorkflow,
  requestWorkflow,
  type RequestWorkflow,
  type WorkflowState,
} from "./workflow-request.ts";
