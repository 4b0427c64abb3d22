import type { Occurrence } from "../commands/index.ts";
import { messageOf } from "../engine/message-of.ts";
import { checkSubmission } from "../input/submission.ts";
import { attempt } from "./attempts.ts";
import { occurrenceKey, scheduledIdempotencyKey } from "./keys.ts";
import { timeZoneOf } from "./hashes.ts";
import { NotDueError, type TaskLedger } from "./task-ledger.ts";
import type { ScheduledHandler, ScheduledPrompt, ThinkScheduledTaskContext } from "./types.ts";
import type { CheckedTask } from "./validate.ts";

/** Handlers that take the object down with them would be called for ever: so many lives are enough. */
const MAX_STARTS = 5;

type RunnerParts = {
  readonly ledger: TaskLedger;
  readonly ownerKey: () => string;
  readonly uuid: () => string;
  /** Run the agent's own code where it finds the agent. */
  readonly within: <T>(run: () => T | Promise<T>) => Promise<T>;
  /** A task failed for good, and it is on record. Does not throw. */
  readonly failed: (error: unknown) => Promise<void>;
};

/** Uses one slot of a task: its prompt is submitted, or its handler called. */
export class TaskRunner {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** @param starts - How often the handler was called for the slot in earlier lives. */
  async run(task: CheckedTask, scheduledFor: number, starts: number): Promise<void> {
    const slot = { taskId: task.id, scheduledFor };
    const { action } = task;
    if (action.kind === "prompt") await this.#submit(task, slot, action.prompt);
    else if (starts < MAX_STARTS) await this.#call(task, slot, action.handler);
    else await this.fail(slot, new Error(`The object stopped while the handler ran, ${starts} times`), 0);
  }

  /** The slot is used up by a failure; the next one waits. */
  async fail(slot: Occurrence, error: unknown, attempts: number, ran = false): Promise<void> {
    this.#parts.ledger.end(slot, { status: "failed", attempts, error: messageOf(error) }, ran);
    await this.#parts.failed(error);
  }

  async #submit(task: CheckedTask, slot: Occurrence, prompt: ScheduledPrompt): Promise<void> {
    const { ledger } = this.#parts;
    const once = async (attempts: number): Promise<void> => {
      const text = typeof prompt === "string" ? prompt : await this.#parts.within(prompt);
      await ledger.submit(slot, this.#submission(task, slot, text), attempts);
    };
    // A submission that is on record stays, whatever comes after it.
    const isOver = (error: unknown): boolean => error instanceof NotDueError || !ledger.isDue(slot);
    const attempted = await attempt(task.retry, once, isOver);
    if (!attempted.ok && !isOver(attempted.error)) await this.fail(slot, attempted.error, attempted.attempts);
  }

  #submission(task: CheckedTask, { taskId, scheduledFor }: Occurrence, text: unknown) {
    if (typeof text !== "string") throw new TypeError(`The prompt of scheduled task "${taskId}" must be a string`);
    const ownerKey = this.#parts.ownerKey();
    return checkSubmission([{ id: this.#parts.uuid(), role: "user", parts: [{ type: "text", text }] }], {
      idempotencyKey: scheduledIdempotencyKey(ownerKey, taskId, scheduledFor),
      metadata: {
        ...task.metadata,
        source: "scheduled-task",
        ownerKey,
        taskId,
        scheduledFor,
        schedule: task.schedule.text,
      },
    });
  }

  async #call(task: CheckedTask, slot: Occurrence, handler: ScheduledHandler): Promise<void> {
    const { ledger, within } = this.#parts;
    if (!ledger.start(slot)) return;
    const attempted = await attempt(task.retry, () => within(() => handler(this.#context(task, slot))));
    const { attempts } = attempted;
    if (attempted.ok) ledger.end(slot, { status: "fired", attempts }, true);
    else await this.fail(slot, attempted.error, attempts, true);
  }

  #context(task: CheckedTask, { taskId, scheduledFor }: Occurrence): ThinkScheduledTaskContext {
    const timezone = timeZoneOf(task);
    return {
      taskId,
      scheduledFor,
      scheduledForDate: new Date(scheduledFor),
      occurrenceKey: occurrenceKey(taskId, scheduledFor),
      idempotencyKey: scheduledIdempotencyKey(this.#parts.ownerKey(), taskId, scheduledFor),
      schedule: task.schedule.text,
      scheduleKind: task.schedule.kind,
      ...(timezone !== undefined && { timezone }),
      ...(task.metadata && { metadata: structuredClone(task.metadata) }),
    };
  }
}
