import { report } from "../engine/console.ts";
import { isPlatformFailure } from "../engine/platform-failure.ts";
import type { Clock } from "../engine/ports.ts";
import type { ScheduledTaskRow } from "../projections/index.ts";
import { attempt, type Attempted } from "./attempts.ts";
import type { Declarations } from "./declarations.ts";
import type { DeclaredTasks } from "./declared.ts";
import { checkRetry } from "./retry.ts";
import type { ScheduleAlarm } from "./schedule-alarm.ts";
import type { TaskLedger } from "./task-ledger.ts";
import type { TaskRunner } from "./task-runner.ts";

/** How often the alarm comes back while a task runs: it keeps the object alive, and wakes it if it dies. */
const BEAT_MS = 30_000;

type SchedulerParts = {
  readonly ledger: TaskLedger;
  readonly runner: TaskRunner;
  readonly declarations: Declarations;
  readonly alarm: ScheduleAlarm;
  readonly clock: Clock;
  /** Wait for work, but not for long. */
  readonly aMoment: (work: Promise<unknown>) => Promise<unknown>;
};

/** Keeps the record of tasks what the code says, and uses their slots when they are due: each once, one a task at a time. */
export class TaskScheduler {
  readonly #parts: SchedulerParts;
  readonly #running = new Map<string, Promise<void>>();
  #ringing = 0;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
  }

  /** Make the record say what the code says. @returns what is wrong with it. */
  async reconcile(): Promise<DeclaredTasks["problems"]> {
    const { problems, tasks } = await this.#parts.declarations.read();
    const wereNone = this.#parts.ledger.reconcile({ tasks, problems }) === 0;
    // Without tasks before and after there is no alarm to look for.
    if (!wereNone || tasks.size > 0) await this.align();
    return problems;
  }

  /** The alarm rang, early or late or twice. @returns when it is to ring next; `undefined`: not at all. */
  async rang(): Promise<number | undefined> {
    const { ledger, clock, aMoment } = this.#parts;
    if (ledger.all().length === 0) return undefined;
    this.#ringing += 1;
    try {
      const declared = await attempt(checkRetry(undefined), () => this.#refresh(), isPlatformFailure);
      // It says nothing about the task: the slot goes on waiting.
      if (!declared.ok && isPlatformFailure(declared.error)) throw declared.error;
      const now = clock.now();
      const due = ledger.all().filter(({ next }) => next !== null && next <= now);
      for (const row of due) this.#start(row, declared);
      if (this.#running.size > 0) await aMoment(Promise.all(this.#running.values()));
    } finally {
      this.#ringing -= 1;
    }
    return this.#nextWake();
  }

  /** The same for whoever is not the alarm. */
  async ring(): Promise<void> {
    await this.rang();
    await this.align();
  }

  /** When the alarm is to ring next; `undefined`: not at all. */
  #nextWake(): number | undefined {
    const waiting = this.#parts.ledger.all().flatMap(({ taskId, next }) => {
      return next === null || this.#running.has(taskId) ? [] : [next];
    });
    const beat = this.#running.size === 0 ? [] : [this.#parts.clock.now() + BEAT_MS];
    const times = [...waiting, ...beat];
    return times.length === 0 ? undefined : Math.min(...times);
  }

  async #refresh(): Promise<DeclaredTasks> {
    const declared = await this.#parts.declarations.read();
    this.#parts.ledger.reconcile(declared);
    return declared;
  }

  /** @param declared - The declarations, or why they cannot be read: then the slot fails, and the next one waits. */
  #start({ taskId, next, starts }: ScheduledTaskRow, declared: Attempted<DeclaredTasks>): void {
    if (next === null || this.#running.has(taskId)) return;
    const work = this.#use(taskId, next, starts, declared)
      .catch((error: unknown) => this.#rest(taskId, error))
      .then(() => this.#left(taskId));
    this.#running.set(taskId, work);
  }

  async #use(taskId: string, slot: number, starts: number, declared: Attempted<DeclaredTasks>): Promise<void> {
    const { runner } = this.#parts;
    if (!declared.ok) return runner.fail({ taskId, scheduledFor: slot }, declared.error, 0);
    const task = declared.value.tasks.get(taskId);
    if (task) await runner.run(task, slot, starts);
  }

  async #left(taskId: string): Promise<void> {
    this.#running.delete(taskId);
    // Whoever rings says afterwards when to ring again.
    if (this.#ringing > 0) return;
    await this.align().catch((error: unknown) => report("The alarm of tasks could not be set", error));
  }

  /** What became of it could not be put on record, so it will be run again: not over and over. */
  async #rest(taskId: string, error: unknown): Promise<void> {
    report(`Scheduled task ${taskId} could not be recorded`, error);
    await scheduler.wait(BEAT_MS);
  }

  /** Have the alarm ring when it is needed next. Writes nothing when it does. */
  async align(): Promise<void> {
    if (this.#ringing > 0) return;
    const { alarm } = this.#parts;
    const [next, set] = [this.#nextWake(), alarm.time()];
    if (next === set) return next === undefined ? undefined : alarm.ensure();
    await (next === undefined ? alarm.cancel() : alarm.set(next));
  }
}
