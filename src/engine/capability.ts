import { report } from "./console.ts";
import { LifecycleCapability, type LifecycleJobContext, type LifecycleJobOutcome } from "agents/lifecycle";
import { type Engine, type EnginePorts, startEngine } from "./engine.ts";
import { inSpan } from "./spans.ts";
import { BEAT_MS, objectAlarms, OUTBOX_JOB, timerAlarms, WORKFLOWS_JOB } from "./alarms.ts";

/** How long the alarm waits for a short drain, so that it need not come back only to be taken down. */
const GRACE_MS = 100;

/** Everything the capability does not get from its host's lifecycle. */
type EngineOptions = Omit<EnginePorts, "storage" | "alarm" | "workflowAlarm" | "outboxAlarm"> & {
  /** Is the agent inside of another one? Asked at the start. */
  readonly isInside: () => boolean;
};

/** The engine as a capability of `agents/lifecycle`: its start, and the one alarm of the object. */
export class EngineCapability extends LifecycleCapability {
  readonly #options: EngineOptions;
  #engine: Engine | undefined;

  constructor(options: EngineOptions) {
    super("thinklog");
    this.#options = options;
  }

  /** @throws when the object has not started: `await this.lifecycle.start()` comes first. */
  get engine(): Engine {
    if (!this.#engine)
      throw new Error("The agent has not started yet; call an async method, or await lifecycle.start()");
    return this.#engine;
  }

  override async onStart(): Promise<void> {
    const { storage, jobs } = this.lifecycle;
    const { clock, isInside } = this.#options;
    const alarms = isInside() ? timerAlarms((id) => this.#ring(id), clock) : objectAlarms({ jobs, storage, clock });
    const { lane: alarm, workflows: workflowAlarm, outbox: outboxAlarm } = alarms;
    const ports = { ...this.#options, storage, alarm, workflowAlarm, outboxAlarm };
    this.#engine = await inSpan("think_start", {}, () => startEngine(ports));
  }

  /** The alarm claims and dispatches; long work goes on after it, so that nothing else waits for it. */
  async onJob({ job }: LifecycleJobContext): Promise<LifecycleJobOutcome> {
    return this.#rang(job.id);
  }

  async #rang(id: string): Promise<LifecycleJobOutcome> {
    switch (id) {
      case WORKFLOWS_JOB:
        return this.#startWorkflows();
      case OUTBOX_JOB:
        return this.#deliver();
      default:
        return this.#drain();
    }
  }

  /** What failed (storage, say) is tried again: what waits must not wait for ever. */
  onJobError({ job }: LifecycleJobContext, error: unknown): LifecycleJobOutcome {
    report(`The alarm ${job.id} failed; it will be tried again`, error);
    return this.#nextBeat();
  }

  async #drain(): Promise<LifecycleJobOutcome> {
    const { lane, outbox } = this.engine;
    // What the drain's turns send to workflows is on its way under the same alarm.
    const drain = lane.rang().then(() => outbox.idle());
    if (await this.#endsSoon(drain.then(() => true))) return undefined;
    drain.catch((error: unknown) => report("The lane stopped; its alarm will wake it again", error));
    lane.keepBeating();
    return this.#nextBeat();
  }

  async #startWorkflows(): Promise<LifecycleJobOutcome> {
    const nothingLeft = await this.#endsSoon(this.engine.workflowStarter.takeUp());
    return nothingLeft ? undefined : this.#nextBeat();
  }

  async #endsSoon(work: Promise<boolean>): Promise<boolean> {
    this.lifecycle.trackAlarmWork(work);
    return Promise.race([work, scheduler.wait(GRACE_MS).then(() => false)]);
  }

  #nextBeat(): { rescheduleAt: number } {
    return { rescheduleAt: this.#options.clock.now() + BEAT_MS };
  }

  async #deliver(): Promise<LifecycleJobOutcome> {
    const { outbox } = this.engine;
    await outbox.deliverDue();
    await this.#endsSoon(outbox.idle().then(() => true));
    const next = outbox.nextWake();
    return next === undefined ? undefined : { rescheduleAt: next };
  }

  #ring(id: string): void {
    this.#rang(id).catch((error: unknown) => report(`The timer ${id} failed`, error));
  }
}
