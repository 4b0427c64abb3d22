import { cancel, deleteTurn, isTerminal, noTurn, submit, type Turn, type TurnState } from "../commands/index.ts";
import { isSubmission } from "../effects/index.ts";
import { type EventData, turnStream } from "../events/index.ts";
import { PayloadMismatchError, SubmissionConflictError } from "../errors.ts";
import { sameMessages } from "../input/same-messages.ts";
import type { SubmissionInput } from "../input/submission.ts";
import type { SubmissionQueries } from "../queries/index.ts";
import type { CancelSubmissionResult, SubmitMessagesResult, ThinkSubmissionInspection } from "../types.ts";
import type { Announcer } from "./announcer.ts";
import type { Cause } from "./cause.ts";
import type { Dispatcher, Recorded } from "./dispatcher.ts";
import type { Lane } from "./lane/lane.ts";
import type { Clock, Ids } from "./ports.ts";
import { isInsideStatusHook } from "./status-hook-scope.ts";
import type { Store } from "./store.ts";

export type SubmissionParts = {
  readonly store: Store;
  readonly queries: SubmissionQueries;
  readonly dispatcher: Dispatcher;
  readonly announcer: Announcer;
  readonly lane: Lane;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Tell the status hook what it missed in an earlier life. */
  readonly catchUp: () => void;
};

/** What an agent may set about idempotency. */
export type IdempotencyPolicy = {
  readonly strict: boolean;
  readonly retention: "forever" | number | undefined;
};

type Ended = "completed" | "aborted" | "skipped" | "error";

/** Durable submissions: accept, cancel, delete, wait. Each is one command. */
export class Submissions {
  readonly #parts: SubmissionParts;

  constructor(parts: SubmissionParts) {
    this.#parts = parts;
  }

  /**
   * Accept a submission, or find the one that its id or key already names.
   *
   * @throws {SubmissionConflictError} when id and key name different submissions.
   * @throws {PayloadMismatchError} when the policy is strict and the known submission has other messages.
   */
  async submit(input: SubmissionInput, cause: Cause, { strict }: IdempotencyPolicy): Promise<SubmitMessagesResult> {
    const { store, ids, clock, dispatcher } = this.#parts;
    const turnId = input.submissionId ?? ids.uuid();
    const stream = turnStream(turnId);
    const byId = input.submissionId === undefined ? noTurn(stream) : store.turn(stream);
    const byKey = this.#byKey(input.idempotencyKey);
    if ([byId, byKey].some((state) => state?.turn && !isSubmission(state.turn))) throw new SubmissionConflictError();

    const payload = store.payloads.prepare(input.messages, ids.salt());
    const metadata = input.metadata === undefined ? undefined : store.payloads.prepare(input.metadata, ids.salt());
    const turn: EventData<"TurnSubmitted"> = {
      turnId,
      trigger: "submission",
      generation: store.lane().generation,
      payload: payload.digest,
      messageIds: [...input.messageIds],
      ...(input.idempotencyKey !== undefined && { idempotencyKey: input.idempotencyKey }),
      ...(metadata && { metadata: metadata.digest }),
      ...(input.channel !== undefined && { channel: input.channel }),
    };
    let same = true;
    const samePayload = (stored: string | undefined): boolean => {
      const first = stored === undefined ? undefined : store.payloads.get(stored);
      // Nobody can tell what was erased: the retry is taken for one.
      same = first === undefined || sameMessages(first, input.messages);
      return same;
    };
    const decision = submit(
      { turn, idGiven: input.submissionId !== undefined, strict, now: clock.now() },
      { byId, ...(byKey && { byKey }), samePayload },
    );
    if (decision.kind === "refuse") {
      throw decision.reason === "conflict" ? new SubmissionConflictError() : new PayloadMismatchError();
    }

    const accepted = decision.appends.some((append) => append.events.some((event) => event.type === "TurnSubmitted"));
    const match = byId.turn ? byId : (byKey ?? byId);
    if (!accepted) {
      await this.#heard(dispatcher.record(decision.appends, cause));
      return { ...(await this.#known(match)), accepted: false, ...(same ? {} : { payloadMismatch: true }) };
    }
    const recorded = dispatcher.record(decision.appends, cause, () => {
      payload.write();
      metadata?.write();
      // Kept until now to compare retries with; the key it belonged to has just been freed.
      if (byKey?.tombstone?.payload !== undefined) store.payloads.remove(byKey.tombstone.payload);
    });
    const receipt = this.#inspection(store.turn(stream));
    await this.#heard(recorded);
    return { ...receipt, accepted: true };
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
    await this.#heard(recorded);
    return { outcome: "cancelled", submissionId, previousStatus: status, messagesApplied: applied, submission };
  }

  /** `true` when a terminal submission was removed from the ledger. */
  delete(submissionId: string, cause: Cause, { retention }: IdempotencyPolicy): boolean {
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
    });
    return true;
  }

  /** Delete ended submissions, those that ended first first. `before` is exclusive, in epoch milliseconds. */
  deleteMany(
    statuses: readonly Ended[],
    before: number,
    limit: number,
    cause: Cause,
    policy: IdempotencyPolicy,
  ): number {
    const ids = this.#parts.queries.oldestEnded(statuses, before, limit);
    return ids.filter((id) => this.delete(id, cause, policy)).length;
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

  #byKey(key: string | undefined): TurnState | undefined {
    if (key === undefined) return undefined;
    const { queries, store } = this.#parts;
    const submissionId = queries.idByKey(key);
    if (submissionId !== undefined) return this.#state(submissionId);
    const tombstone = store.projections.tombstones.load(key);
    return tombstone && store.turn(tombstone.stream);
  }

  /** The receipt for a retry: the first submission as it is now, or as it was when it was deleted. */
  async #known(match: TurnState): Promise<ThinkSubmissionInspection> {
    const state = this.#parts.store.turn(match.stream);
    if (state.turn) {
      if (state.turn.status === "pending") await this.#parts.lane.ensureArmed();
      return this.#inspection(state);
    }
    if (!state.tombstone) throw new Error(`Stream ${match.stream} holds neither a turn nor a tombstone`);
    const { submissionId, idempotencyKey, status, createdAt, completedAt } = state.tombstone;
    return { submissionId, idempotencyKey, requestId: submissionId, status, createdAt, completedAt };
  }

  #inspection({ turn }: TurnState): ThinkSubmissionInspection {
    if (!turn) throw new Error("There is no such turn");
    return this.#parts.dispatcher.inspect(turn);
  }

  /** Wait until the hooks have heard; inside a hook that would be to wait for oneself. */
  async #heard({ effects }: Recorded): Promise<void> {
    if (!isInsideStatusHook()) await effects;
  }
}
