import { checkOccurrences } from "../input/occurrences.ts";
import { inspectionOf, occurrencePage } from "../schedule/listing.ts";
import { checkStoredTask, type StoredTask } from "../schedule/stored-task.ts";
import type { ThinkScheduledTasks } from "../schedule/types.ts";
import type { ListOccurrencesOptions, OccurrencePage, ScheduledTaskInspection } from "../types.ts";
import { engineOf, scheduleOf } from "./internals.ts";
import { ThinkWorkflows } from "./workflows.ts";

/** What the agent does by the clock, and what became of it. */
export abstract class ThinkSchedule<
  Env extends Cloudflare.Env = Cloudflare.Env,
  State = unknown,
  Props extends Record<string, unknown> = Record<string, unknown>,
> extends ThinkWorkflows<Env, State, Props> {
  /**
   * Tasks that the agent does by the clock, by their ids. Read at each start, after `onStart`, and before a task runs:
   * a task that is new is armed, one that is gone is cancelled, one whose schedule means the same keeps its phase.
   *
   * @example
   * getScheduledTasks(): ThinkScheduledTasks {
   *   return {
   *     digest: { schedule: "every weekday at 09:00 in Europe/Berlin", prompt: "Write the digest of yesterday." },
   *     cleanup: { schedule: "every 6 hours", handler: () => this.cleanUp() },
   *   };
   * }
   */
  getScheduledTasks(): ThinkScheduledTasks | Promise<ThinkScheduledTasks> {
    return {};
  }

  /**
   * The time zone of schedules that name none. There is no other default: without one, a schedule by the clock on the
   * wall is an error.
   *
   * @example
   * getDefaultTimezone() {
   *   return "Europe/Berlin";
   * }
   */
  getDefaultTimezone(): string | undefined | Promise<string | undefined> {
    return undefined;
  }

  /**
   * Which agents run the tasks of their class: the outermost one, or those inside of others too. Those are woken by
   * the outermost one.
   *
   * @example
   * getScheduledTasksScope() {
   *   return "all" as const;
   * }
   */
  getScheduledTasksScope(): "root" | "all" | Promise<"root" | "all"> {
    return "root";
  }

  /**
   * Read {@link Think.getScheduledTasks} again and put what changed into force, for declarations that depend on data.
   *
   * @throws {ThinkInputError} for a task that cannot be used, or an `AggregateError` of them; all others are in force.
   *
   * @example
   * this.configure({ digest: false });
   * await this.internal_reconcileScheduledTasks();
   */
  async internal_reconcileScheduledTasks(): Promise<void> {
    await this.lifecycle.start();
    await scheduleOf(this).reconcile();
  }

  /**
   * The tasks of this agent, by their ids: the next slot, and what became of the last one.
   *
   * @example
   * for (const { taskId, next, last } of await agent.listScheduledTasks()) console.log(taskId, next, last?.outcome);
   */
  async listScheduledTasks(): Promise<ScheduledTaskInspection[]> {
    return engineOf(this).store.projections.scheduledTasks.all().map(inspectionOf);
  }

  /**
   * What became of the slots of one task, newest first, also when it is not declared any more. A page can be short
   * and still have a cursor.
   *
   * @throws {ThinkInputError} naming the field, when an option is not acceptable.
   *
   * @example
   * const { occurrences } = await agent.listOccurrences({ taskId: "digest", limit: 10 });
   * const failed = occurrences.filter(({ outcome }) => outcome === "failed");
   */
  async listOccurrences(options: ListOccurrencesOptions): Promise<OccurrencePage> {
    return occurrencePage(engineOf(this).store.log, checkOccurrences(options));
  }

  /**
   * What is stored in alarms of `@cloudflare/think` calls it by this name. The record says what is due: an alarm that
   * comes early, late or twice changes nothing.
   *
   * @internal
   * @throws when the payload is not one of a declared task.
   */
  async _runDeclaredScheduledTask(payload: StoredTask): Promise<void> {
    checkStoredTask(payload);
    await scheduleOf(this).ring();
  }
}
