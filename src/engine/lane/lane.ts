import type { Callers } from "../callers.ts";
import type { ClaimedTurn, Clock, LaneAlarm, TurnRecorder, TurnRun, TurnRunner } from "../ports.ts";
import { isSubmission } from "../../effects/index.ts";
import { report } from "../console.ts";
import { messageOf } from "../message-of.ts";
import { isPlatformFailure } from "../platform-failure.ts";
import { inSpan, inSubmissionSpan } from "../spans.ts";
import { Backstop, type BackstopParts } from "./backstop.ts";
import type { Head } from "./head.ts";
import type { TurnInputs } from "./turn-inputs.ts";

export type LaneParts = {
  readonly head: Head;
  /** A turn has ended, and all of it is on record. Told before any hook. */
  readonly left: (turnId: string, run: TurnRun) => void;
  /** Tell the response hook of a turn that ended, if it is to hear of it; `undefined` when it is not. */
  readonly respond: (turnId: string, run: TurnRun) => Promise<void> | undefined;
  /** The lane has nothing to do: remember what was heard. */
  readonly idle: () => void;
  readonly deliveries: BackstopParts["deliveries"];
  readonly alarm: LaneAlarm;
  readonly clock: Clock;
  readonly inputs: TurnInputs;
  readonly callers: Callers;
  readonly runner: TurnRunner;
  readonly recorder: (claimed: ClaimedTurn, giveUp: (error: unknown) => void) => TurnRecorder;
  /** Make ready what turns need, once. */
  readonly ready: () => Promise<void>;
};

/**
 * Runs the turns of one object, one at a time, in the order of their acceptance. One alarm and one
 * drain serve all that waits: a turn that waits costs nothing.
 */
export class Lane {
  readonly #parts: LaneParts;
  #drain: Promise<void> | undefined;
  #running: { readonly turnId: string; readonly abort: AbortController } | undefined;
  #armed = false;
  /** Somebody relies on the lane being woken, since the drain last began to look at the queue. */
  #asked = false;
  #recovered = false;
  /** When the last turn ended, in epoch milliseconds. */
  #endedAt: number | undefined;
  readonly #backstop: Backstop;

  constructor(parts: LaneParts) {
    this.#parts = parts;
    const { alarm, deliveries } = parts;
    // A drain that is at work comes back to the backstop at its end.
    this.#backstop = new Backstop({ alarm, deliveries, isNeeded: () => this.#drain !== undefined || this.#armed });
  }

  /** Have the lane woken soon. Costs nothing when a drain is at work or the alarm is set. */
  async arm(when: "soon" | "backstop" = "soon"): Promise<void> {
    if (this.#drain) this.#asked = true;
    if (this.#armed || this.#drain) return;
    this.#armed = true;
    this.#backstop.set(when === "backstop");
    try {
      await this.#parts.alarm.arm(when);
    } catch (error) {
      this.#armed = false;
      throw error;
    }
  }

  /** Somebody relies on a turn that waits: make sure that the lane will be woken. */
  async ensureArmed(): Promise<void> {
    if (this.#drain) {
      this.#asked = true;
      return;
    }
    if (this.#armed) await this.#parts.alarm.ensure();
    else await this.arm();
  }

  /** Run what waits. Resolves when nothing waits any more; a second call joins the first. */
  wake(): Promise<void> {
    this.#asked = true;
    this.#drain ??= this.#drainAll();
    return this.#drain;
  }

  /** The same, for the alarm: it rang, so it is not set any more. */
  rang(): Promise<void> {
    this.#backstop.set(false);
    return this.wake();
  }

  /** Nothing runs and nothing waits. What is accepted now, without a break, may be claimed at once. */
  get atRest(): boolean {
    return this.#recovered && !this.#drain && !this.#armed && this.#hasBreathed;
  }

  /** Run a turn that was claimed while the lane was at rest, and then what waits. */
  begin(claimed: ClaimedTurn): Promise<void> {
    this.#drain = this.#drainAll(claimed);
    return this.#drain;
  }

  /** The alarm returns although the drain goes on: it will beat again, until it is told not to. */
  keepBeating(): void {
    this.#backstop.set(true);
    if (!this.#drain) this.#backstop.disarmLater();
  }

  /** Stop the attempt of this turn, if it is the one that runs. */
  abort(turnId: string, reason: string | undefined): void {
    if (this.#isRunning(turnId)) this.#running?.abort.abort(new Error(reason ?? "The turn was cancelled."));
  }

  /** The turn whose attempt this object holds. */
  get runningTurnId(): string | undefined {
    return this.#running?.turnId;
  }

  /** A turn ended. One whose attempt is still winding down is released when that is done. */
  ended(turnId: string): void {
    if (this.#isRunning(turnId)) return;
    this.#parts.inputs.forget(turnId);
    this.#leave(turnId, {});
  }

  #isRunning(turnId: string): boolean {
    return this.#running?.turnId === turnId;
  }

  async #drainAll(begun?: ClaimedTurn): Promise<void> {
    const { head, idle, ready } = this.#parts;
    try {
      if (!begun) await ready();
      if (!this.#recovered) await inSpan("recover_think_durable_work", {}, () => head.recoverInterrupted());
      // From here on a turn is only on record as running while this drain runs it; unless the drain fails.
      this.#recovered = false;
      if (begun) await this.#run(begun);
      // A lane that was at rest needs no look at the queue: whatever came meanwhile has asked for one.
      while (this.#asked) {
        // Whoever asks from here on may be too late for this look, and gets another one.
        this.#asked = false;
        for (let turn = await this.#next(); turn; turn = await this.#next()) await this.#run(turn);
      }
      this.#recovered = true;
    } finally {
      // Without a break after the last question: a turn accepted from here on arms the alarm itself.
      this.#drain = undefined;
      this.#armed = false;
    }
    idle();
    this.#backstop.disarmLater();
  }

  async #next(): Promise<ClaimedTurn | undefined> {
    if (!this.#hasBreathed) await scheduler.wait(0);
    return this.#parts.head.claimNext();
  }

  /** The turn has left the lane: its caller and its hook go on without it. */
  #leave(turnId: string, run: TurnRun): void {
    const { callers, respond, left } = this.#parts;
    left(turnId, run);
    callers.turnEnded(turnId, run);
    const told = respond(turnId, run);
    if (told) void told.then(() => callers.release(turnId, run));
    else callers.release(turnId, run);
  }

  async #run(claimed: ClaimedTurn): Promise<void> {
    const abort = new AbortController();
    this.#running = { turnId: claimed.turnId, abort };
    const { head, recorder, inputs } = this.#parts;
    // Ended between its claim and here, where nobody could have stopped it.
    if (!head.holds(claimed)) abort.abort(new Error(ENDED_BEFORE_IT_RAN));
    try {
      const record = recorder(claimed, (error) => abort.abort(error));
      const run = await this.#attempt(claimed, record, abort.signal).catch((error: unknown) => giveUp(record, error));
      this.#running = undefined;
      this.#leave(claimed.turnId, run);
    } finally {
      this.#running = undefined;
      inputs.forget(claimed.turnId);
    }
    this.#endedAt = this.#parts.clock.now();
  }

  /**
   * A macrotask between turns, or the object answers no request until all are done. The clock of a Durable Object
   * moves with outside events only: when it has moved since the last turn ended, there has been one.
   */
  get #hasBreathed(): boolean {
    return this.#parts.clock.now() !== this.#endedAt;
  }

  #attempt(claimed: ClaimedTurn, record: TurnRecorder, signal: AbortSignal): Promise<TurnRun> {
    const attempt = (): Promise<TurnRun> => this.#parts.runner(claimed, record, signal);
    return isSubmission(claimed.turn) ? inSubmissionSpan("execute_chat_submission", attempt) : attempt();
  }
}

/** An attempt that failed outside the turn's own code (its answer cannot be stored, say) fails again: it ends here. */
async function giveUp(record: TurnRecorder, error: unknown): Promise<TurnRun> {
  if (isPlatformFailure(error)) throw error;
  report("A turn could not be recorded as it ended; it ends as an error", error);
  await record.settle({ outcome: { status: "error", error: messageOf(error) }, steps: [] });
  return { thrown: error };
}

const ENDED_BEFORE_IT_RAN = "The turn was ended before it ran.";
