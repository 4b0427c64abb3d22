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

  constructor(parts: StarterParts) {
    this.#parts = parts;
  }

  /**
   * @param isNewId - Nobody can have used the id before: there is no need to look.
   * @throws what Agent's own `runWorkflow` throws. An error after which nobody can tell whether the instance exists
   * leaves the request open; the alarm takes it up.
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
    await this.#start(workflowId, !isFirstTry, false);
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
          else await this.#start(run.workflowId, true, true);
        } catch (error) {
          report(`Workflow ${run.workflowName}/${run.workflowId} could not be started`, error);
        }
      }),
    );
    return requests.all().length === 0;
  }

  /** A workflow calls: so it runs, whatever became of its start. */
  heardFrom(workflowId: string): void {
    const run = this.#parts.requests.get(workflowId);
    if (run) this.#adopt(run);
  }

  #start(workflowId: string, look: boolean, alone: boolean): Promise<void> {
    const before = this.#starting.get(workflowId);
    if (before) return before;
    const start = this.#attempt(workflowId, look, alone).finally(() => {
      this.#starting.delete(workflowId);
      this.#rest();
    });
    this.#starting.set(workflowId, start);
    return start;
  }

  /** @param alone - No caller waits: a failure of the platform is for the next try, and not the end. */
  async #attempt(workflowId: string, look: boolean, alone: boolean): Promise<void> {
    const { requests, workflows } = this.#parts;
    const run = requests.get(workflowId);
    if (!run || (look && (await this.#adoptIfThere(run)))) return;
    try {
      await workflows.create(run);
    } catch (error) {
      // Meanwhile the workflow itself has called.
      if (!requests.isOpen(workflowId)) return;
      if (saysExists(error)) return this.#adopt(run);
      if (await this.#adoptIfThere(run).catch(() => Promise.reject(error))) return;
      if (!(alone && isPlatformFailure(error))) requests.end({ ...idsOf(run), error: messageOf(error) });
      throw error;
    }
    requests.end({ ...idsOf(run), adopted: false });
  }

  /** @returns `false` when there is no instance; rejects when nobody can tell. */
  async #adoptIfThere(run: WorkflowRun): Promise<boolean> {
    const { workflows } = this.#parts;
    if (!workflows.isTracked(run.workflowId) && !(await workflows.exists(run))) return false;
    this.#adopt(run);
    // Its calls found no row so far: it may have ended already.
    await workflows.refresh(run).catch(() => {});
    return true;
  }

  #adopt(run: WorkflowRun): void {
    const { requests, workflows, telemetry } = this.#parts;
    const isTracked = workflows.isTracked(run.workflowId);
    const adopted = requests.end({ ...idsOf(run), adopted: true }, () => {
      if (!isTracked) workflows.track(run);
    });
    if (adopted && !isTracked) telemetry.emit("workflow:start", idsOf(run));
  }

  /** Nothing is left to start: no alarm is needed. */
  #rest(): void {
    if (this.#parts.requests.all().length > 0) return;
    this.#parts.alarm.disarm().catch((error: unknown) => report("An alarm could not be taken down", error));
  }
}

const idsOf = ({ workflowName, workflowId }: WorkflowRun) => ({ workflowName, workflowId });

const taken = (workflowId: string): Error => new Error(`Workflow with ID "${workflowId}" is already being tracked`);
