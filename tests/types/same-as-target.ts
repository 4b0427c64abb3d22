/** Programs written for `@cloudflare/think`: what they hold of its types may be given to ours, and the other way round. */
import type * as Theirs from "@cloudflare/think";
import type * as Ours from "../../src/index.ts";
import type { Assignable, Equal, Expect, Interchangeable } from "./expect.ts";

/** What methods give and hooks are given: kept under their types, made under their types. */
export type Results = [
  Expect<Interchangeable<Ours.ActiveTurn, Theirs.ActiveTurn>>,
  Expect<Interchangeable<Ours.CancelSubmissionResult, Theirs.CancelSubmissionResult>>,
  Expect<Interchangeable<Ours.ChatErrorClassification, Theirs.ChatErrorClassification>>,
  Expect<Interchangeable<Ours.ChatErrorContext, Theirs.ChatErrorContext>>,
  Expect<Interchangeable<Ours.ChatInterruptedInfo, Theirs.ChatInterruptedInfo>>,
  Expect<Interchangeable<Ours.ChatStartEvent, Theirs.ChatStartEvent>>,
  Expect<Interchangeable<Ours.ChatResponseResult, Theirs.ChatResponseResult>>,
  Expect<Interchangeable<Ours.ChunkContext, Theirs.ChunkContext>>,
  Expect<Interchangeable<Ours.ChunkPart, Theirs.ChunkPart>>,
  Expect<Interchangeable<Ours.PrepareStepContext, Theirs.PrepareStepContext>>,
  Expect<Interchangeable<Ours.SaveMessagesResult, Theirs.SaveMessagesResult>>,
  Expect<Interchangeable<Ours.StepContext, Theirs.StepContext>>,
  Expect<Interchangeable<Ours.StreamCallback, Theirs.StreamCallback>>,
  Expect<Interchangeable<Ours.SubmitMessagesResult, Theirs.SubmitMessagesResult>>,
  Expect<Interchangeable<Ours.ThinkScheduledTaskContext, Theirs.ThinkScheduledTaskContext>>,
  Expect<Interchangeable<Ours.ThinkSubmissionInspection, Theirs.ThinkSubmissionInspection>>,
  Expect<Interchangeable<Ours.ThinkSubmissionStatus, Theirs.ThinkSubmissionStatus>>,
  Expect<Interchangeable<Ours.ToolCallContext, Theirs.ToolCallContext>>,
  // Theirs says that the error of a failed call is `never`; ours says what it is.
  Expect<Assignable<Theirs.ToolCallResultContext, Ours.ToolCallResultContext>>,
  Expect<Interchangeable<Ours.TurnInputMessages, Theirs.TurnInputMessages>>,
  Expect<Interchangeable<Ours.TurnTrigger, Theirs.TurnTrigger>>,
  Expect<Assignable<Ours.TurnResult, Theirs.TurnResult>>,
  Expect<Assignable<Ours.TurnContext, Theirs.TurnContext>>,
];

/** What callers and hooks hand over. Ours may also be undefined where theirs may only be absent. */
export type Options = [
  Expect<Assignable<Theirs.AddMessagesOptions, Ours.AddMessagesOptions>>,
  Expect<Assignable<Theirs.ChatOptions, Ours.ChatOptions>>,
  Expect<Assignable<Theirs.CompactAfterOptions, Ours.CompactAfterOptions>>,
  Expect<Assignable<Theirs.ContextOverflowConfig, Ours.ContextOverflowConfig>>,
  Expect<Assignable<Theirs.DeleteSubmissionsOptions, Ours.DeleteSubmissionsOptions>>,
  Expect<Assignable<Theirs.ListSubmissionsOptions, Ours.ListSubmissionsOptions>>,
  Expect<Assignable<Theirs.MediaEvictionConfig, Ours.MediaEvictionConfig>>,
  Expect<Assignable<Theirs.MessageMetadataCallback, Ours.MessageMetadataCallback>>,
  Expect<Assignable<Theirs.RunTurnOptions, Ours.RunTurnOptions>>,
  Expect<Assignable<Theirs.RunTurnStream, Ours.RunTurnStream>>,
  Expect<Assignable<Theirs.RunTurnSubmit, Ours.RunTurnSubmit>>,
  Expect<Assignable<Theirs.RunTurnWait, Ours.RunTurnWait>>,
  Expect<Assignable<Theirs.SaveMessagesOptions, Ours.SaveMessagesOptions>>,
  Expect<Assignable<Theirs.StepConfig, Ours.StepConfig>>,
  Expect<Assignable<Theirs.SubmitMessagesOptions, Ours.SubmitMessagesOptions>>,
  Expect<Assignable<Theirs.ThinkModel, Ours.ThinkModel>>,
  Expect<Assignable<Theirs.ThinkScheduledTask, Ours.ThinkScheduledTask>>,
  Expect<Assignable<Theirs.ThinkScheduledTasks, Ours.ThinkScheduledTasks>>,
  Expect<Equal<Ours.ThinkScheduledTaskSchedule, Theirs.ThinkScheduledTaskSchedule>>,
  Expect<Assignable<Theirs.ToolCallDecision, Ours.ToolCallDecision>>,
  Expect<Assignable<Theirs.TurnConfig, Ours.TurnConfig>>,
  Expect<Assignable<Theirs.WaitForSubmissionOptions, Ours.WaitForSubmissionOptions>>,
];

type Methods =
  | "submitMessages"
  | "inspectSubmission"
  | "listSubmissions"
  | "waitForSubmission"
  | "cancelSubmission"
  | "deleteSubmission"
  | "deleteSubmissions"
  | "saveMessages"
  | "addMessages"
  | "getMessages"
  | "clearMessages"
  | "chat"
  | "cancelChat"
  | "cancelAllChats"
  | "resolveModel"
  | "getDefaultTimezone"
  | "getScheduledTasksScope"
  | "internal_reconcileScheduledTasks"
  | "_runDeclaredScheduledTask"
  | "getConfig"
  | "configure";

/** A function that takes such parts of their Think takes ours. */
export type Parts = Expect<Assignable<Pick<Ours.Think, Methods>, Pick<Theirs.Think, Methods>>>;
