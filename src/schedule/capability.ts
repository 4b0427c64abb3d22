import { LifecycleCapability, type LifecycleJobContext, type LifecycleJobOutcome } from "agents/lifecycle";
import type { Degradations } from "../conversation/degradations.ts";
import { report } from "../engine/console.ts";
import type { Engine } from "../engine/engine.ts";
import type { Clock } from "../engine/ports.ts";
import { Declarations } from "./declarations.ts";
import type { DeclaredTasks } from "./declared.ts";
import { ownerKeyOf } from "./hashes.ts";
import type { ScheduleHost } from "./host.ts";
import { jobAlarm, routedAlarm } from "./schedule-alarm.ts";
import { TaskLedger } from "./task-ledger.ts";
import { TaskRunner } from "./task-runner.ts";
import { TaskScheduler } from "./task-scheduler.ts";

/** How long the alarm waits for tasks that are done soon, so that it need not come back. */
const GRACE_MS = 100;

const STEP = "scheduled-task-reconcile";
const RETRY_MS = 30_000;

type ScheduleOptions = {
  readonly engine: () => Engine;
  readonly degradations: Degradations;
  readonly clock: Clock;
  readonly uuid: () => string;
};

type Starting = { onStart: (props?: never) => void | Promise<void> };

/** Tasks that the agent does by the clock, as a capability: their start, and their place in the one alarm of the object. */
export class ScheduleCapability extends LifecycleCapability {
  readonly #host: ScheduleHost & Starting;
  readonly #options: ScheduleOptions;
  #scheduler: TaskScheduler | undefined;

  constructor(host: object, options: ScheduleOptions) {
    super("thinklog-schedule");
    this.#host = host as ScheduleHost & Starting;
    this.#options = options;
  }

  /** Once the agent's own start is over: what it declares may depend on that. */
  override onStart(): void {
    const isFirst = this.#scheduler === undefined;
    this.#scheduler = this.#assemble();
    if (!isFirst) return;
    const host = this.#host;
    const onStart = host.onStart.bind(host);
    host.onStart = async (props) => {
      await onStart(props);
      await this.#reconcileAtStart();
    };
  }

  /** @throws what is wrong with the declarations; those with nothing wrong are in force all the same. */
  async reconcile(): Promise<void> {
    const { degradations } = this.#options;
    const problems = await this.#reconcile();
    const fault = faultOf(problems);
    if (fault === undefined) return degradations.mended(STEP);
    throw fault;
  }

  /** Use what is due, for whoever is not the alarm. */
  async ring(): Promise<void> {
    await this.#tasks.ring();
  }

  async onJob(_context: LifecycleJobContext): Promise<LifecycleJobOutcome> {
    const next = await this.#tasks.rang();
    return next === undefined ? undefined : { rescheduleAt: next };
  }

  /** What failed (storage, say) is tried again: what is due must not wait for ever. */
  onJobError(_context: LifecycleJobContext, error: unknown): LifecycleJobOutcome {
    report("The alarm of scheduled tasks failed; it will be tried again", error);
    return { rescheduleAt: this.#options.clock.now() + RETRY_MS };
  }

  get #tasks(): TaskScheduler {
    if (!this.#scheduler) throw new Error("The agent has not started yet");
    return this.#scheduler;
  }

  /** An agent whose tasks cannot be read can still be talked to. */
  async #reconcileAtStart(): Promise<void> {
    const { degradations } = this.#options;
    try {
      const fault = faultOf(await this.#reconcile());
      if (fault === undefined) degradations.mended(STEP);
      else degradations.add(STEP, fault);
    } catch (error) {
      degradations.add(STEP, error);
      await this.#tasks.align().catch((failure: unknown) => report("The alarm of tasks could not be set", failure));
    }
  }

  #reconcile(): Promise<DeclaredTasks["problems"]> {
    return this.#tasks.reconcile();
  }

  #assemble(): TaskScheduler {
    const { jobs, storage, runInHostContext } = this.lifecycle;
    const { engine, clock, uuid } = this.#options;
    const host = this.#host;
    const within = <T>(run: () => T | Promise<T>): Promise<T> => runInHostContext(run) as Promise<T>;
    const { store, dispatcher, acceptance } = engine();
    const ledger = new TaskLedger({ store, dispatcher, acceptance, clock });
    const runner = new TaskRunner({
      ledger,
      ownerKey: () => ownerKeyOf(host.selfPath),
      uuid,
      within,
      failed: async (error) => {
        try {
          await within(() => host.onError(error));
        } catch {
          // The agent's usual way is to throw what it was told.
        }
      },
    });
    const isInside = host.parentPath.length > 0;
    return new TaskScheduler({
      ledger,
      runner,
      declarations: new Declarations(host, within),
      alarm: isInside ? routedAlarm(host) : jobAlarm(jobs, storage),
      clock,
      aMoment: (work) => this.#aMoment(work),
    });
  }

  async #aMoment(work: Promise<unknown>): Promise<void> {
    this.lifecycle.trackAlarmWork(work);
    await Promise.race([work, scheduler.wait(GRACE_MS)]);
  }
}

/** One fault as it is; several in one. */
function faultOf(problems: DeclaredTasks["problems"]): Error | undefined {
  const [first, second] = problems;
  if (!first || !second) return first?.error;
  const errors = problems.map(({ error }) => error);
  return new AggregateError(errors, errors.map(({ message }) => message).join("; "));
}
