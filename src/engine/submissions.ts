import { cancel, deleteTurn, isTerminal, type Turn, type TurnState } from "../commands/index.ts";
import { isSubmission } from "../effects/index.ts";
import { type TerminalStatus, turnStream } from "../events/index.ts";
import type { Retention } from "../input/retention.ts";
import type { SubmissionQueries } from "../queries/index.ts";
import type { CancelSubmissionResult, ThinkSubmissionInspection } from "../types.ts";
import type { Announcer } from "./announcer.ts";
import type { Cause } from "./cause.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { heard } from "./heard.ts";
import type { Clock } from "./ports.ts";
import type { Store } from "./store.ts";

type SubmissionParts = {
  readonly store: Store;
  readonly queries: SubmissionQueries;
  readonly dispatcher: Dispatcher;
  readonly announcer: Announcer;
  readonly clock: Clock;
  /** Tell the status hook what it missed in an earlier life. */
  readonly catchUp: () => void;
};

/** What is done with accepted submissions: cancel, delete, wait, look. */
export class Submissions {
  readonly #parts: SubmissionParts;

  constructor(parts: SubmissionParts) {
    this.#parts = parts;
  }

  /** @param error - Kept as the submission's error text. */
  async cancel(submissionId: string, error: string | undefined, cause: Cause): Promise<CancelSubmissionResult> {
    const state = this.#find(submissionId);
    if (!state?.turn) return { outcome: "not_found", submissionId };
    const { status, applied } = state.turn;
    const decision = cancel(error === undefined ? {} : { error }, state);
    if (decision.kind === "refuse" || isTerminal(status)) {
      return { outcome: "already_terminal", submissionId, submission: this.#inspection(state) };
    }
    const recorded = this.#parts.dispatcher.record(decision.appends, cause);
    const submission = this.#inspection(this.#state(submissionId));
    await heard(recorded);
    return { outcome: "cancelled", submissionId, previousStatus: status, messagesApplied: applied, submission };
  }

  /** `true` when a terminal submission was removed from the ledger. */
  delete(submissionId: string, cause: Cause, retention: Retention): boolean {
    const { clock, dispatcher, store } = this.#parts;
    const state = this.#find(submissionId);
    if (!state?.turn) return false;
    const keep = retention === undefined ? {} : { idempotencyRetention: retention };
    const decision = deleteTurn({ now: clock.now(), ...keep }, state);
    if (decision.kind === "refuse") return false;
    const { payload, metadata } = state.turn.submitted;
    const tombstone = retention !== undefined && state.turn.idempotencyKey !== undefined;
    dispatcher.record(decision.appends, cause, () => {
      // A tombstone goes on comparing retries with the first messages; nothing else needs the content.
      if (payload !== undefined && !tombstone) store.payloads.remove(payload);
      if (metadata !== undefined) store.payloads.remove(metadata);
      if (state.turn.output !== undefined) store.payloads.remove(state.turn.output);
    });
    return true;
  }

  /** Delete ended submissions, those that ended first first. `before` is exclusive, in epoch milliseconds. */
  deleteMany(
    statuses: readonly TerminalStatus[],
    before: number,
    limit: number,
    cause: Cause,
    retention: Retention,
  ): number {
    const ids = this.#parts.queries.oldestEnded(statuses, before, limit);
    return ids.filter((id) => this.delete(id, cause, retention)).length;
  }

  /**
   * Resolves when the submission has ended and its end was announced; after `timeoutMs` with what is known then.
   *
   * @param assertMayWait - Called before there is anything to wait for: throws where that would never come.
   */
  async wait(
    submissionId: string,
    timeoutMs: number | undefined,
    assertMayWait: () => void,
  ): Promise<ThinkSubmissionInspection | null> {
    const { announcer, catchUp } = this.#parts;
    const state = this.#find(submissionId);
    if (!state?.turn) return null;
    const last = this.#inspection(state);
    const terminal = isTerminal(state.turn.status);
    catchUp();
    if (terminal && !announcer.isAnnouncing(submissionId)) return last;
    assertMayWait();
    const ended = terminal ? announcer.settled(submissionId).then(() => last) : announcer.ended(submissionId);
    if (timeoutMs === undefined) return ended;
    const late = scheduler.wait(timeoutMs).then(() => this.inspect(submissionId));
    return Promise.race([ended, late]);
  }

  inspect(submissionId: string): ThinkSubmissionInspection | null {
    const state = this.#find(submissionId);
    return state?.turn ? this.#inspection(state) : null;
  }

  #state(submissionId: string): TurnState {
    return this.#parts.store.turn(turnStream(submissionId));
  }

  #find(submissionId: string): (TurnState & { turn: Turn }) | undefined {
    const state = this.#state(submissionId);
    return state.turn && isSubmission(state.turn) ? { ...state, turn: state.turn } : undefined;
  }

  #inspection({ turn }: TurnState): ThinkSubmissionInspection {
    if (!turn) throw new Error("There is no such turn");
    return this.#parts.dispatcher.inspect(turn);
  }
}
