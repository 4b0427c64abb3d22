import {
  applyMessages,
  cancel,
  claim,
  type Decision,
  deleteTurn,
  finishStep,
  linkMessage,
  type Outcome,
  recordDelivery,
  recover,
  resetLane,
  settle,
  skip,
  startToolCall,
  submit,
  type TurnState,
} from "../../../src/commands/index.ts";
import { type EventData, LANE_STREAM, type ThinkEvent, turnStream } from "../../../src/events/index.ts";
import { VersionConflictError } from "../../../src/log/conflict.ts";
import { MemoryLog } from "../../../src/testing/memory-log.ts";
import { origin } from "../facts.ts";
import { type Lane, MAX_ATTEMPTS, REASONS, type View } from "./lane.ts";
import type { Delivery, Ended, Retention, Submission } from "./operations.ts";

type Claim = { readonly id: string; readonly epoch: number };

/** The product's deciders over a memory log, tied together as the engine ties them. */
export class ProductLane implements Lane {
  readonly log = new MemoryLog();
  readonly #now: () => number;
  readonly #claims: Claim[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  submit({ id, idGiven, key, payload, strict, blocking, workflow, late }: Submission): string {
    const generation = late ? Math.max(this.#generation() - 1, 0) : this.#generation();
    const turn = {
      turnId: id,
      trigger: blocking ? "programmatic" : "submission",
      generation,
      messageIds: payload === undefined ? [] : [`message-of-${id}`],
      ...(key !== undefined && { idempotencyKey: key }),
      ...(payload !== undefined && { payload }),
      ...(workflow && { origin }),
    } as const;
    const byId = this.#turn(id);
    const byKey = this.#byKey(key);
    let differs = false;
    const samePayload = (stored: string | undefined) => {
      differs = stored !== payload;
      return !differs;
    };
    const decision = submit(
      { turn, idGiven, strict, now: this.#now() },
      { byId, ...(byKey && { byKey }), samePayload },
    );
    if (decision.kind === "refuse") return decision.reason;
    const types = this.#append(decision).map(({ type }) => type);
    if (types.includes("TurnSubmitted")) return "accepted";
    const match = (byId.turn ?? byId.tombstone) ? byId : byKey!;
    const known = match.turn?.submitted.turnId ?? match.tombstone?.submissionId;
    return `${match.turn ? "known" : "kept"} ${known}${differs ? ", other messages" : ""}`;
  }

  claim(): string {
    const next = this.#head();
    if (next === undefined) return "idle";
    const decision = this.#decideClaim(next);
    if (decision.kind === "refuse") return decision.reason;
    this.#append(decision);
    this.#remember(next);
    return `claimed ${next}`;
  }

  apply(claim: number): string {
    const { id, epoch } = this.#claims[claim]!;
    return this.#record(applyMessages({ epoch, messageIds: [`made-by-${claim}`], parentId: null }, this.#turn(id)));
  }

  tool(claim: number): string {
    const { id, epoch } = this.#claims[claim]!;
    const call = { epoch, step: 0, toolCallId: `call-${claim}`, toolName: "weather" };
    return this.#record(startToolCall(call, this.#turn(id)));
  }

  step(claim: number): string {
    const { id } = this.#claims[claim]!;
    return this.#record(finishStep(this.#step(claim), this.#turn(id)));
  }

  settle(claim: number, status: Ended): string {
    const { id } = this.#claims[claim]!;
    return this.#record(this.#decideSettle(claim, status, this.#turn(id)));
  }

  link(claim: number): string {
    const { id, epoch } = this.#claims[claim]!;
    return this.#record(linkMessage({ epoch, messageId: `answer-${claim}` }, this.#turn(id)));
  }

  recover(claim: number): string {
    const { id, epoch } = this.#claims[claim]!;
    const { turn } = this.#turn(id);
    const repeatable = turn?.submitted.payload !== undefined;
    return this.#record(recover({ epoch, maxAttempts: MAX_ATTEMPTS, repeatable }, this.#turn(id)));
  }

  cancel(id: string, reason: string | undefined): string {
    return this.#record(cancel(reason === undefined ? {} : { error: reason }, this.#turn(id)));
  }

  skip(id: string): string {
    return this.#record(skip({ error: REASONS.skip }, this.#turn(id)));
  }

  delete(id: string, retention: Retention): string {
    const keep = retention === undefined ? {} : { idempotencyRetention: retention };
    return this.#record(deleteTurn({ now: this.#now(), ...keep }, this.#turn(id)));
  }

  reset(): string {
    const live = this.log.projections.queue.all().map((row) => this.#turn(row.turnId));
    const state = { version: this.#laneVersion(), generation: this.#generation(), live };
    const reasons = { skipped: REASONS.resetSkips, aborted: REASONS.resetAborts };
    return this.#record(resetLane({ reason: "reset", ...reasons }, state));
  }

  deliver(notification: number, kind: Delivery): string {
    const { notificationId, turnId } = this.#queued()[notification]!;
    const stream = turnStream(turnId);
    const { version } = this.log.stream(stream)!;
    const entry = { stream, version, due: this.log.projections.outbox.load(notificationId) };
    const results = {
      delivered: { kind: "delivered" },
      transient: { kind: "transient", error: "unreachable" },
      permanent: { kind: "permanent", reason: "gone" },
    } as const;
    return this.#record(recordDelivery({ result: results[kind], now: this.#now() }, entry));
  }

  /** A cancel, and what it races with, decided on the same state: the first commits, the second must not. */
  raceWithCancel(cancelFirst: boolean, id: string, claim: number | undefined): string {
    const state = this.#turn(id);
    const cancelled = cancel({ error: REASONS.race }, state);
    const other = claim === undefined ? this.#decideClaim(id) : this.#decideSettle(claim, "completed", state);
    const [first, second] = cancelFirst ? [cancelled, other] : [other, cancelled];
    const came = this.#record(first);
    if (came !== "done" || second.kind === "refuse") return came;
    if (claim === undefined && !cancelFirst) this.#remember(id);
    try {
      this.#append(second);
    } catch (error) {
      if (error instanceof VersionConflictError) return came;
      throw error;
    }
    return "both were recorded";
  }

  view(): View {
    const { queue, submissions, tombstones } = this.log.projections;
    return {
      queue: queue
        .all()
        .map(({ turnId, status, attempt, applied }) => ({ id: turnId, status, attempt, applied: applied === 1 })),
      ledger: submissions.all().map((row) => ({
        id: row.submissionId,
        key: row.idempotencyKey,
        status: row.status,
        error: row.error?.includes("interrupted") === true ? "interrupted" : row.error,
        messageId: row.messageId,
        times: [row.createdAt, row.startedAt, row.completedAt],
      })),
      tombstones: tombstones
        .all()
        .map(({ idempotencyKey, stream }) => `${idempotencyKey} → ${stream.replace("turn/", "")}`),
      outbox: this.#outbox(),
    };
  }

  #remember(id: string): void {
    this.#claims.push({ id, epoch: this.#turn(id).turn!.epoch });
  }

  #turn(id: string): TurnState {
    return this.log.turn(turnStream(id));
  }

  /** As the engine looks for it: in the ledger, then among the tombstones. */
  #byKey(key: string | undefined): TurnState | undefined {
    if (key === undefined) return undefined;
    const { submissions, tombstones } = this.log.projections;
    const row = submissions.all().find(({ idempotencyKey }) => idempotencyKey === key);
    if (row) return this.#turn(row.submissionId);
    const tombstone = tombstones.load(key);
    return tombstone && this.log.turn(tombstone.stream);
  }

  #head(): string | undefined {
    return this.log.projections.queue.all().find(({ status }) => status === "pending")?.turnId;
  }

  #decideClaim(id: string): Decision<string> {
    const state = this.#turn(id);
    const laneBusy = this.log.projections.queue.all().some(({ status }) => status === "running");
    const command = { generation: this.#generation(), laneBusy, parentId: null };
    const messageIds = state.turn?.submitted.payload === undefined ? undefined : state.turn.submitted.messageIds;
    return claim({ ...command, ...(messageIds && { messageIds }) }, state);
  }

  #decideSettle(claim: number, status: Ended, state: TurnState): Decision<string> {
    const outcomes: Record<Ended, Outcome> = {
      completed: { status: "completed" },
      error: { status: "error", error: REASONS.fail },
      aborted: { status: "aborted" },
      skipped: { status: "skipped", error: REASONS.fail },
    };
    const message = status === "completed" ? { messageId: `answer-${claim}` } : {};
    const { epoch } = this.#claims[claim]!;
    return settle({ epoch, outcome: outcomes[status], steps: [this.#step(claim)], ...message }, state);
  }

  #step(claim: number) {
    return { epoch: this.#claims[claim]!.epoch, step: 0, finishReason: "stop", usage: {}, toolCalls: [] };
  }

  #laneVersion(): number {
    return this.log.stream(LANE_STREAM)?.version ?? 0;
  }

  #generation(): number {
    const last = this.log.readStream(LANE_STREAM).at(-1);
    return last?.type === "LaneReset" && "data" in last ? (last.data as { generation: number }).generation : 0;
  }

  /** In the order in which they were queued. */
  #queued(): EventData<"NotificationQueued">[] {
    const queued = this.log.after(0).filter(({ type }) => type === "NotificationQueued");
    return queued.map(({ data }) => data as EventData<"NotificationQueued">);
  }

  /** One that was delivered, or deleted after it was given up, is no row any more. */
  #outbox() {
    const { outbox, parked } = this.log.projections;
    return this.#queued().map(({ notificationId, turnId: id }) => {
      const due = outbox.load(notificationId);
      if (due) return { id, status: "due", attempts: due.attempts, dueAt: due.dueAt };
      const givenUp = parked.load(notificationId);
      return { id, status: givenUp ? "parked" : "gone", attempts: givenUp?.attempts ?? 0, dueAt: null };
    });
  }

  #append(decision: Extract<Decision<string>, { kind: "record" }>): readonly ThinkEvent[] {
    return this.log.append(decision.appends, { at: this.#now(), actor: "test", causationId: "test" });
  }

  #record(decision: Decision<string>): string {
    if (decision.kind === "refuse") return decision.reason;
    return this.#append(decision).length > 0 ? "done" : "nothing";
  }
}
