import type { WorkflowRunInput } from "../../input/workflow-run.ts";
import type { Cause } from "../cause.ts";
import { report } from "../console.ts";
import { messageOf } from "../message-of.ts";
import { isPlatformFailure } from "../platform-failure.ts";
import type { Telemetry } from "../ports.ts";
import { saysExists } from "./instance-errors.ts";
import type { WorkflowAlarm, WorkflowRun, WorkflowsPort } from "./port.ts";
import type { WorkflowRequests } from "./requests.ts";

export type StarterParts = {
  readonly requests: WorkflowRequests;
  readonly workflows: WorkflowsPort;
  readonly alarm: WorkflowAlarm;
  readonly telemetry: Telemetry;
};

/**
 * Starts workflows: on record first, then the instance and its tracking row, then on record that it runs. Whoever
 * finds a request open looks whether the instance exists before making one.
 */
export class WorkflowStarter {
  readonly #parts: StarterParts;
  /** Starts that are under way in this life of the object. */
  readonly #starting = new Map<string, Promise<void>>();
  /** How many callers wait for each of them: who waits is told of a failure. */
  readonly #waiting = new Map<string, number>();

  constructor(parts: StarterParts) {
    this.#parts = parts;
  }

  /**
   * @param isNewId - Nobody can have used the id before: there is no need to look.
   * @throws what Agent's own `runWorkflow` throws. After an error that leaves open whether the instance exists,
   * the alarm looks for it, so that a run is tracked; it does not make one, for the caller may have tried again.
   */
  async run(input: WorkflowRunInput, isNewId: boolean, cause: Cause): Promise<string> {
    const { requests, workflows } = this.#parts;
    const { workflowId, workflowName } = input;
    if (!workflows.isBound(workflowName)) {
      throw new Error(`Workflow binding '${workflowName}' not found in environment`);
    }
    if (workflows.isTracked(workflowId) && !requests.isOpen(workflowId)) throw taken(workflowId);
    const recorded = requests.open(input, cause);
    if (!recorded) throw taken(workflowId);
    // The alarm first. Without one the start goes on: it is only for the case that this object stops.
    await Promise.allSettled([recorded.effects]);
    const isFirstTry = isNewId && recorded.events.length > 0;
    this.#wait(workflowId, 1);
    try {
      await this.#start(workflowId, !isFirstTry);
    } finally {
      this.#wait(workflowId, -1);
    }
    return workflowId;
  }

  /** Start what is open, for the alarm. Resolves with whether nothing is left. */
  async takeUp(): Promise<boolean> {
    const { requests } = this.#parts;
    await Promise.all(
      requests.all().map(async (run) => {
        try {
          // A start that hangs since the last beat: its instance may have come to be.
          if (this.#starting.has(run.workflowId)) await this.#adoptIfThere(run);
          else await this.#start(run.workflowId, true);
        } catch (error) {
          report(`Workflow ${run.workflowName}/${run.workflowId} could not be started`, error);
        }
      }),
    );
    return !requests.hasOpen();
  }

  /** A workflow calls: so it runs, whatever became of its start. */
  heardFrom(workflowName: string, workflowId: string): void {
    const run = this.#parts.requests.get(workflowId);
    if (run?.workflowName === workflowName) this.#adopt(run);
  }

  /** No caller waits: what fails is for the next try. */
  #isAlone(workflowId: string): boolean {
    return !this.#waiting.has(workflowId);
  }

  #wait(workflowId: string, change: 1 | -1): void {
    const count = (this.#waiting.get(workflowId) ?? 0) + change;
    if (count > 0) this.#waiting.set(workflowId, count);
    else this.#waiting.delete(workflowId);
  }

  #start(workflowId: string, look: boolean): Promise<void> {
    const before = this.#starting.get(workflowId);
    if (before) return before;
    const start = this.#attempt(workflowId, look).finally(() => {
      this.#starting.delete(workflowId);
      this.#rest();
    });
    this.#starting.set(workflowId, start);
    return start;
  }

  async #attempt(workflowId: string, look: boolean): Promise<void> {
    const { requests, workflows } = this.#parts;
    const run = requests.get(workflowId);
    if (!run) return;
    try {
      if (look && (await this.#adoptIfThere(run))) return;
    } catch (error) {
      this.#leaveUnclear(run, error);
      throw error;
    }
    // Its caller was told of a failure, and may have started another one.
    if (this.#isAlone(workflowId) && run.failure !== undefined) {
      this.#fail(run, run.failure);
      throw new Error(run.failure);
    }
    try {
      await workflows.create(run);
    } catch (error) {
      return this.#afterFailure(run, error);
    }
    requests.end({ ...idsOf(run), adopted: false });
  }

  /** An error of the creation says little: what counts is whether the instance is there. */
  async #afterFailure(run: WorkflowRun, error: unknown): Promise<void> {
    // Meanwhile the workflow itself has called.
    if (!this.#parts.requests.isOpen(run.workflowId)) return;
    if (saysExists(error)) return void this.#adopt(run);
    const isThere = await this.#adoptIfThere(run).catch(() => undefined);
    if (isThere) return;
    if (isThere === undefined) this.#leaveUnclear(run, error);
    else if (!(this.#isAlone(run.workflowId) && isPlatformFailure(error))) this.#fail(run, messageOf(error));
    throw error;
  }

  #fail(run: WorkflowRun, error: string): void {
    this.#parts.requests.end({ ...idsOf(run), error });
  }

  #leaveUnclear(run: WorkflowRun, error: unknown): void {
    if (this.#isAlone(run.workflowId)) return;
    this.#parts.requests.leaveUnclear({ ...idsOf(run), error: messageOf(error) });
  }

  /** @returns `false` when there is no instance; rejects when nobody can tell. */
  async #adoptIfThere(run: WorkflowRun): Promise<boolean> {
    const { workflows } = this.#parts;
    if (!workflows.isTracked(run.workflowId) && !(await workflows.exists(run))) return false;
    // Its calls found no row so far: it may have ended already.
    if (this.#adopt(run)) await workflows.refresh(run).catch(() => {});
    return true;
  }

  /** @returns `false` when it was started before. */
  #adopt(run: WorkflowRun): boolean {
    const { requests, workflows, telemetry } = this.#parts;
    const isTracked = workflows.isTracked(run.workflowId);
    const adopted = requests.end({ ...idsOf(run), adopted: true }, () => {
      if (!isTracked) workflows.track(run);
    });
    if (adopted && !isTracked) telemetry.emit("workflow:start", idsOf(run));
    return adopted;
  }

  /** Nothing is left to start: no alarm is needed. */
  #rest(): void {
    if (this.#parts.requests.hasOpen()) return;
    this.#parts.alarm.disarm().catch((error: unknown) => report("An alarm could not be taken down", error));
  }
}

const idsOf = ({ workflowName, workflowId }: WorkflowRun) => ({ workflowName, workflowId });

const taken = (workflowId: string): Error => new Error(`Workflow with ID "${workflowId}" is already being tracked`);
