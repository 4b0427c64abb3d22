import {
  type Decision,
  declareTask,
  endHandler,
  endOccurrence,
  type Occurrence,
  type OccurrenceOutcome,
  rejectTask,
  removeTask,
  type ScheduledTaskState,
  startOccurrence,
} from "../commands/index.ts";
import type { Acceptance } from "../engine/acceptance.ts";
import { ENGINE, type Cause } from "../engine/cause.ts";
import type { Dispatcher } from "../engine/dispatcher.ts";
import { messageOf } from "../engine/message-of.ts";
import type { Clock } from "../engine/ports.ts";
import type { Store } from "../engine/store.ts";
import { type Append, scheduleStream } from "../events/index.ts";
import type { SubmissionInput } from "../input/submission.ts";
import type { ScheduledTaskRow } from "../projections/index.ts";
import { afterSlot } from "./after-slot.ts";
import type { DeclaredTasks } from "./declared.ts";
import { fingerprintOf, timeZoneOf } from "./hashes.ts";
import { occurrenceKey, scheduleKey } from "./keys.ts";
import { nextOccurrence } from "./next-occurrence.ts";
import type { CheckedTask } from "./validate.ts";

type LedgerParts = {
  readonly store: Store;
  readonly dispatcher: Dispatcher;
  readonly acceptance: Acceptance;
  readonly clock: Clock;
};

/** The slot was used already, or its task is not as it was: nothing of it may be written. */
export class NotDueError extends Error {
  override readonly name = "NotDueError";
}

/** What is on record about tasks and their slots, and all that is ever written about them. */
export class TaskLedger {
  readonly #parts: LedgerParts;

  constructor(parts: LedgerParts) {
    this.#parts = parts;
  }

  /** The tasks of the agent: few, so they are read at once. */
  all(): ScheduledTaskRow[] {
    return this.#parts.store.projections.scheduledTasks.all();
  }

  row(taskId: string): ScheduledTaskRow | undefined {
    return this.#parts.store.projections.scheduledTasks.load(taskId);
  }

  isDue({ taskId, scheduledFor }: Occurrence): boolean {
    return this.row(taskId)?.next === scheduledFor;
  }

  /** Make the record say what the code says, in one commit. Writes nothing when it does. @returns how many tasks there were. */
  reconcile({ tasks, problems }: DeclaredTasks): number {
    const rows = this.all();
    const known = new Map(rows.map((row) => [row.taskId, row]));
    const now = this.#parts.clock.now();
    // An id that cannot be one names no stream.
    const faults = problems.filter(({ error }) => error.code !== "invalid-task-id");
    const rejected = new Map(faults.map(({ taskId, error }) => [taskId, error]));
    const gone = rows.filter(({ taskId }) => !tasks.has(taskId) && !rejected.has(taskId));
    const decisions: Decision[] = [
      ...[...tasks.values()].map((task) => this.#declare(task, now, known)),
      ...[...rejected].flatMap(([taskId, error]) =>
        taskId === undefined ? [] : [rejectTask({ taskId, error: messageOf(error) }, this.#state(taskId, known))],
      ),
      ...gone.map(({ taskId }) => removeTask({ taskId }, this.#state(taskId, known))),
    ];
    const appends = decisions.flatMap((decision) => (decision.kind === "record" ? decision.appends : []));
    this.#parts.dispatcher.record(appends, { actor: ENGINE, causationId: "schedule" });
    return rows.length;
  }

  /** The handler is about to be called. `false`: not for this slot. */
  start(slot: Occurrence): boolean {
    const decision = startOccurrence(slot, this.#state(slot.taskId));
    if (decision.kind === "refuse") return false;
    this.#parts.dispatcher.record(decision.appends, causeOf(slot));
    return true;
  }

  /** The slot was used, without a submission. `ran`: a handler was called for it, whatever became of its task since. */
  end(slot: Occurrence, outcome: OccurrenceOutcome, ran: boolean): void {
    const decide = ran ? endHandler : endOccurrence;
    const decision = decide({ ...slot, outcome, after: this.#after(slot) }, this.#state(slot.taskId));
    if (decision.kind === "record") this.#parts.dispatcher.record(decision.appends, causeOf(slot));
  }

  /**
   * The slot is used by a submission: one commit.
   *
   * @throws {NotDueError} when the slot is not the one that waits.
   */
  async submit(slot: Occurrence, input: SubmissionInput, attempts: number): Promise<void> {
    const also = (submissionId: string): readonly Append[] => {
      const outcome = { status: "fired", attempts, submissionId } as const;
      const decision = endOccurrence({ ...slot, outcome, after: this.#after(slot) }, this.#state(slot.taskId));
      if (decision.kind === "refuse") throw new NotDueError(occurrenceKey(slot.taskId, slot.scheduledFor));
      return decision.appends;
    };
    await this.#parts.acceptance.accept({ ...input, trigger: "scheduled" }, causeOf(slot), false, also);
  }

  #declare(task: CheckedTask, now: number, known: Known): Decision {
    const { id: taskId, schedule, action } = task;
    const timeZone = timeZoneOf(task);
    const facts = {
      taskId,
      action: action.kind,
      schedule: schedule.text,
      ...(timeZone !== undefined && { timeZone }),
      scheduleKey: scheduleKey(schedule),
      fingerprint: fingerprintOf(task),
    };
    const nextSlot = (anchor: number) => nextOccurrence(schedule, now, anchor);
    return declareTask({ task: facts, now, nextSlot }, this.#state(taskId, known));
  }

  #after({ taskId, scheduledFor }: Occurrence) {
    const row = this.row(taskId);
    return row ? afterSlot(row, scheduledFor, this.#parts.clock.now()) : { next: undefined, missed: undefined };
  }

  #state(taskId: string, known?: Known): ScheduledTaskState {
    const { log } = this.#parts.store;
    return {
      task: known ? known.get(taskId) : this.row(taskId),
      // Read only when there is something to write.
      get version() {
        return log.stream(scheduleStream(taskId))?.version ?? 0;
      },
    };
  }
}

type Known = ReadonlyMap<string, ScheduledTaskRow>;

const causeOf = ({ taskId, scheduledFor }: Occurrence): Cause => ({
  actor: `schedule:${taskId}`,
  causationId: `occurrence:${occurrenceKey(taskId, scheduledFor)}`,
});
