import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { isTerminal } from "../../../src/commands/index.ts";
import { isKnown, type KnownEvent, turnStream } from "../../../src/events/index.ts";
import { foldAll } from "../../../src/projections/project.ts";
import type { Projection } from "../../../src/projections/projection.ts";
import type { MemoryLog } from "../../../src/testing/memory-log.ts";
import { MAX_ATTEMPTS } from "./lane.ts";

type Life = { claims: number; applied: number; ends: number };

const ENDS: readonly string[] = ["TurnCompleted", "TurnFailed", "TurnAborted", "TurnSkipped"];

/** Reads the log itself, event by event as it grows, and knows nothing of deciders and reducers. */
export class LogWatch {
  readonly #log: MemoryLog;
  #position = 0;
  readonly #versions = new Map<string, number>();
  readonly #lives = new Map<number, Life>();
  readonly #waiting = new Set<number>();
  #running: number | undefined;

  constructor(log: MemoryLog) {
    this.#log = log;
  }

  check(): void {
    for (const event of this.#log.after(this.#position)) {
      strictEqual(event.position, this.#position + 1, "positions are gap-free");
      const version = (this.#versions.get(event.stream) ?? 0) + 1;
      strictEqual(event.version, version, `versions of ${event.stream} are gap-free`);
      this.#position += 1;
      this.#versions.set(event.stream, version);
      if (event.stream.startsWith("turn/")) this.#turnEvent(event as KnownEvent);
    }
  }

  #turnEvent({ type, ordinal, position }: KnownEvent): void {
    if (type === "TurnSubmitted") {
      strictEqual(ordinal, position, "a turn's place is the position of its acceptance");
      this.#lives.set(ordinal, { claims: 0, applied: 0, ends: 0 });
      this.#waiting.add(ordinal);
    }
    const life = this.#lives.get(ordinal);
    ok(life, "no event of a turn before its acceptance");
    if (type === "TurnClaimed") this.#claimed(ordinal, life);
    if (type === "MessagesApplied") strictEqual((life.applied += 1), 1, "messages are applied at most once");
    if (type === "TurnRequeued") this.#released(ordinal).add(ordinal);
    if (ENDS.includes(type)) {
      strictEqual((life.ends += 1), 1, "a turn ends at most once");
      this.#released(ordinal).delete(ordinal);
    }
  }

  #claimed(ordinal: number, life: Life): void {
    strictEqual(this.#running, undefined, "at most one turn runs");
    strictEqual(ordinal, Math.min(...this.#waiting), "the turn that was accepted first is claimed first");
    ok((life.claims += 1) <= MAX_ATTEMPTS, "attempts are bounded");
    this.#running = ordinal;
    this.#waiting.delete(ordinal);
  }

  #released(ordinal: number): Set<number> {
    if (this.#running === ordinal) this.#running = undefined;
    return this.#waiting;
  }
}

/** The read models as they were written inline are those that the whole log gives, and agree with the deciders' fold. */
export function checkReadModels(log: MemoryLog): void {
  const events = log.after(0).filter(isKnown);
  const { submissions, queue, outbox, parked, tombstones } = log.projections;
  sameAsRebuilt(submissions, events);
  sameAsRebuilt(queue, events);
  sameAsRebuilt(outbox, events);
  sameAsRebuilt(parked, events);
  sameAsRebuilt(tombstones, events);

  for (const row of submissions.all()) {
    const { turn } = log.turn(turnStream(row.submissionId));
    ok(turn, `submission ${row.submissionId} is in the ledger, but not in its stream`);
    strictEqual(row.ordinal, turn.ordinal);
    strictEqual(row.idempotencyKey, turn.idempotencyKey ?? null);
    const ended = isTerminal(turn.status);
    strictEqual(row.status, ended ? turn.status : null);
    strictEqual(row.error, turn.error ?? null);
    strictEqual(row.messageId, turn.messageId ?? null);
    strictEqual(row.startedAt, ended ? (turn.startedAt ?? null) : null);
    strictEqual(queue.load(row.ordinal)?.status, ended ? undefined : turn.status);
    strictEqual(queue.load(row.ordinal)?.epoch, ended ? undefined : turn.epoch);
  }
}

function sameAsRebuilt<Row, Key extends string | number>(model: Projection<Row, Key>, events: KnownEvent[]): void {
  const rebuilt = [...foldAll(model, events)].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  deepStrictEqual(model.all(), rebuilt, `${model.name} as written is ${model.name} as rebuilt`);
}
