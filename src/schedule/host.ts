import type { AgentPath } from "./hashes.ts";
import type { RoutedSchedules } from "./schedule-alarm.ts";
import type { ThinkScheduledTasks } from "./types.ts";

/** What tasks need of their agent. */
export type ScheduleHost = RoutedSchedules & {
  readonly selfPath: AgentPath;
  readonly parentPath: AgentPath;
  readonly getScheduledTasks: () => ThinkScheduledTasks | Promise<ThinkScheduledTasks>;
  readonly getDefaultTimezone: () => string | undefined | Promise<string | undefined>;
  readonly getScheduledTasksScope: () => "root" | "all" | Promise<"root" | "all">;
  readonly onError: (error: unknown) => unknown;
};
