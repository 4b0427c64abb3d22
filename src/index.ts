export type { CompactionErrorHandler } from "./conversation/compaction.ts";
export type { OnStartDegradation } from "./conversation/degradations.ts";
export type { MediaEvictionConfig } from "./conversation/media-options.ts";
export type { SessionContextOptions } from "./conversation/session-context.ts";
export type { CompactAfterOptions } from "./conversation/session-options.ts";
export { ThinkSession, ThinkSession as Session } from "./conversation/think-session.ts";
export { PayloadMismatchError, SubmissionConflictError, ThinkInputError } from "./errors.ts";
export type {
  ThinkIntervalSchedule,
  ThinkScheduledTask,
  ThinkScheduledTaskContext,
  ThinkScheduledTaskSchedule,
  ThinkScheduledTasks,
  ThinkTime,
  ThinkWallClockSchedule,
} from "./schedule/types.ts";
export { Think } from "./think.ts";
export type * from "./turn/hook-types.ts";
export { defaultContextOverflowClassifier } from "./turn/overflow-classifier.ts";
export type * from "./types.ts";
export type { MessageConcurrency } from "./wire/concurrency.ts";
