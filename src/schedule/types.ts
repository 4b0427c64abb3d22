type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
type Hour = `0${Digit}` | `1${Digit}` | "20" | "21" | "22" | "23";
type Minute = `${"0" | "1" | "2" | "3" | "4" | "5"}${Digit}`;

/** A time of day, `00:00` to `23:59`. */
export type ThinkTime = `${Hour}:${Minute}`;

/** Runs again after so much time, wherever one is: `every 15 minutes`. It has no time zone. */
export type ThinkIntervalSchedule = `every ${number} minute${"" | "s"}` | `every ${number} hour${"" | "s"}`;

/** Runs when the clock on the wall shows a time: `every weekday at 09:00`, `every week on mon, thu at 18:30`. */
export type ThinkWallClockSchedule =
  | `every day at ${ThinkTime}`
  | `every weekday at ${ThinkTime}`
  | `every week on ${string} at ${ThinkTime}`;

/** Everything a task's `schedule` may say; a time on the wall may name its zone: `every day at 09:00 in Europe/Berlin`. */
export type ThinkScheduledTaskSchedule =
  | ThinkIntervalSchedule
  | ThinkWallClockSchedule
  | `${ThinkWallClockSchedule} in ${string}`;

/** What the handler of a task is told of the occurrence it runs for. */
export type ThinkScheduledTaskContext = {
  taskId: string;
  /** Epoch milliseconds of the slot, which may be earlier than now when the run is late. */
  scheduledFor: number;
  scheduledForDate: Date;
  /** The task and the slot: the same in every retry of this occurrence. */
  occurrenceKey: string;
  /** As the occurrence key, and unlike that of any other agent. */
  idempotencyKey: string;
  /** The schedule as it was understood: lower case, single spaces. */
  schedule: string;
  scheduleKind: "interval" | "wall-clock";
  timezone?: string;
  metadata?: Record<string, unknown>;
};

/** How often a failing task is tried, and the bounds of the random wait before the next try. */
export type ScheduledTaskRetry = {
  /** 3 when absent. */
  maxAttempts?: number | undefined;
  /** 100 when absent. */
  baseDelayMs?: number | undefined;
  /** 3000 when absent. */
  maxDelayMs?: number | undefined;
};

export type ScheduledPrompt = string | (() => string | Promise<string>);
export type ScheduledHandler = (context: ThinkScheduledTaskContext) => void | Promise<void>;

type ThinkScheduledTaskBase = (
  | { prompt: ScheduledPrompt; handler?: undefined }
  | { handler: ScheduledHandler; prompt?: undefined }
) & {
  retry?: ScheduledTaskRetry | undefined;
  /** JSON data, given to the handler and kept with the submission of a prompt. */
  metadata?: Record<string, unknown> | undefined;
};

/**
 * Something the agent does by the clock: a `prompt` is submitted as a turn, a `handler` is called.
 *
 * @example
 * const digest: ThinkScheduledTask = { schedule: "every weekday at 09:00 in Europe/Berlin", prompt: "Write the digest" };
 */
export type ThinkScheduledTask =
  | (ThinkScheduledTaskBase & { schedule: ThinkIntervalSchedule; timezone?: undefined })
  | (ThinkScheduledTaskBase & { schedule: ThinkWallClockSchedule; timezone?: string | undefined })
  | (ThinkScheduledTaskBase & { schedule: `${ThinkWallClockSchedule} in ${string}`; timezone?: string | undefined });

/** What {@link Think.getScheduledTasks} declares: tasks by their ids. */
export type ThinkScheduledTasks = Record<string, ThinkScheduledTask>;
