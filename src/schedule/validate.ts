import { ThinkInputError } from "../errors.ts";
import { serializeObject } from "../input/json-object.ts";
import { parseSchedule } from "./grammar.ts";
import { checkRetry, type RetryPolicy } from "./retry.ts";
import type { Schedule } from "./schedule.ts";
import type { ScheduledHandler, ScheduledPrompt, ThinkScheduledTask } from "./types.ts";

export type ScheduledAction =
  | { readonly kind: "prompt"; readonly prompt: ScheduledPrompt }
  | { readonly kind: "handler"; readonly handler: ScheduledHandler };

/** A declared task that can be armed. */
export type CheckedTask = {
  readonly id: string;
  readonly schedule: Schedule;
  readonly action: ScheduledAction;
  readonly retry: RetryPolicy;
  /** As it comes out of storage: a copy, without what JSON cannot say. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
};

const TASK_ID = /^[A-Za-z0-9_-]+$/;

/** @throws {ThinkInputError} for the first thing wrong with this one task. */
export function checkTask(id: string, task: ThinkScheduledTask, defaultTimezone?: string): CheckedTask {
  if (!TASK_ID.test(id)) {
    const message = `Invalid scheduled task id "${id}"; use letters, numbers, "_" or "-"`;
    throw new ThinkInputError("invalid-task-id", "taskId", message);
  }
  if (typeof task !== "object" || task === null) {
    throw new ThinkInputError("not-an-object", "task", `Scheduled task "${id}" must be an object`);
  }
  const action = checkAction(id, task);
  if (typeof task.schedule !== "string") {
    throw new ThinkInputError("not-a-string", "schedule", `Scheduled task "${id}" must have a schedule in words`);
  }
  return {
    id,
    schedule: parseSchedule(task.schedule, { task: task.timezone ?? undefined, fallback: defaultTimezone }),
    action,
    retry: checkRetry(task.retry),
    metadata: copyOf(task.metadata ?? undefined),
  };
}

/** Called on the task, as the methods of it that they may be. */
function checkAction(id: string, task: ThinkScheduledTask): ScheduledAction {
  const prompt = task.prompt ?? undefined;
  const handler = task.handler ?? undefined;
  if ((prompt === undefined) === (handler === undefined)) {
    const message = `Scheduled task "${id}" must define exactly one of prompt or handler`;
    throw new ThinkInputError("prompt-or-handler", "prompt", message);
  }
  if (typeof prompt === "string") return { kind: "prompt", prompt };
  if (typeof prompt === "function") return { kind: "prompt", prompt: prompt.bind(task) };
  if (typeof handler === "function") return { kind: "handler", handler: handler.bind(task) };
  const [field, kinds] = prompt === undefined ? ["handler", "a function"] : ["prompt", "a string or a function"];
  throw new ThinkInputError("invalid-action", field, `The ${field} of scheduled task "${id}" must be ${kinds}`);
}

function copyOf(metadata: unknown): Record<string, unknown> | undefined {
  const json = serializeObject(metadata, "metadata");
  return json === undefined ? undefined : JSON.parse(json);
}
