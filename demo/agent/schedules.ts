// The part of the demo's agent that does something by the clock: off until somebody turns it on.
import type { ScheduledTaskInspection, TaskOccurrence, ThinkScheduledTasks } from "../../src/index.ts";
import { type Reply, reply } from "./reply.ts";
import { AgentWithWorkflows } from "./workflows/agent-workflows.ts";
import { BINDINGS } from "./workflows/summary.ts";

export type Schedules = { on: boolean; tasks: (ScheduledTaskInspection & { latest: TaskOccurrence[] })[] };

type Settings = { schedules: boolean };

const DIGEST = "Write a digest of this conversation in two sentences.";
const DAILY = "A daily check: is anything urgent left?";

/** Shown of each task. */
const LATEST = 5;

export abstract class AgentWithSchedules extends AgentWithWorkflows {
  override getScheduledTasks(): ThinkScheduledTasks {
    if (!this.#areOn()) return {};
    return {
      digest: { schedule: "every 1 hour", prompt: DIGEST },
      triage: {
        schedule: "every day at 07:00 in Europe/Berlin",
        handler: ({ idempotencyKey }) => this.#startDaily(idempotencyKey),
      },
    };
  }

  schedules(): Promise<Reply<Schedules>> {
    return reply(async () => {
      const tasks = (await this.listScheduledTasks()).map(async (task) => {
        const { occurrences } = await this.listOccurrences({ taskId: task.taskId, limit: LATEST });
        return { ...task, latest: occurrences };
      });
      return { on: this.#areOn(), tasks: await Promise.all(tasks) };
    });
  }

  turnSchedules(on: boolean): Promise<Reply<Schedules>> {
    this.configure<Settings>({ schedules: on });
    return reply(async () => {
      await this.internal_reconcileScheduledTasks();
    }).then((turned) => (turned.ok ? this.schedules() : turned));
  }

  #areOn(): boolean {
    return this.getConfig<Settings>()?.schedules === true;
  }

  /** The slot's own key names the instance: a handler that is called again finds the workflow of the first call. */
  async #startDaily(key: string): Promise<void> {
    const id = key.replaceAll(":", "-");
    if (this.getWorkflow(id)) return;
    await this.runWorkflow(BINDINGS.triage, { text: DAILY }, { id, metadata: { text: DAILY } });
  }
}
