import { ThinkInputError } from "../errors.ts";
import { checkTimeZone } from "./time-zone.ts";
import type { ThinkScheduledTasks } from "./types.ts";
import { type CheckedTask, checkTask } from "./validate.ts";

/** A declaration that cannot be armed; without a task when it is the default time zone. */
export type DeclarationProblem = { readonly taskId?: string; readonly error: ThinkInputError };

export type DeclaredTasks = {
  readonly tasks: ReadonlyMap<string, CheckedTask>;
  readonly problems: readonly DeclarationProblem[];
};

/**
 * Each task for itself: what is wrong with one is told and leaves the others alone.
 *
 * @throws {ThinkInputError} when the whole is no object of tasks.
 */
export function checkTasks(declared: ThinkScheduledTasks, defaultTimezone?: string | null): DeclaredTasks {
  if (typeof declared !== "object" || declared === null || Array.isArray(declared)) {
    throw new ThinkInputError("not-an-object", "getScheduledTasks()", "getScheduledTasks() must give an object");
  }
  const fallback = defaultTimezone ?? undefined;
  const tasks = new Map<string, CheckedTask>();
  const problems: DeclarationProblem[] = [];
  const attempt = (check: () => void, taskId?: string) => {
    try {
      check();
    } catch (error) {
      if (!(error instanceof ThinkInputError)) throw error;
      problems.push(taskId === undefined ? { error } : { taskId, error });
    }
  };
  // Even if no task needs it: the mistake would show only when one does.
  if (fallback !== undefined) attempt(() => checkTimeZone(fallback, "getDefaultTimezone()"));
  for (const [id, task] of Object.entries(declared)) {
    attempt(() => tasks.set(id, checkTask(id, task, fallback)), id);
  }
  return { tasks, problems };
}
