import { type Lane, MAX_ATTEMPTS, REASONS, type View } from "./lane.ts";
import type { Delivery, Ended, Retention, Submission } from "./operations.ts";

type Turn = {
  readonly id: string;
  key: string | null;
  readonly payload: string | undefined;
  readonly generation: number;
  readonly blocking: boolean;
  readonly workflow: boolean;
  readonly createdAt: number;
  status: "pending" | "running" | Ended;
  attempt: number;
  applied: boolean;
  tools: boolean;
  startedAt: number | null;
  completedAt: number | null;
  error: string | null;
  messageId: string | null;
  /** Deleted turns answer retries until then, unless somebody took their id or key over. */
  deleted?: { readonly until: number };
};

type Claim = { readonly turn: Turn; readonly attempt: number };
type Notification = {
  readonly turn: Turn;
  status: string;
  attempts: number;
  dueAt: number | null;
  failingSince: number | null;
};

const HOURS_12 = 43_200_000;

/** The rules again, as plain mutable objects: no events, no folds, no versions. */
export class ModelLane implements Lane {
  readonly #now: () => number;
  #turns: Turn[] = [];
  readonly #claims: Claim[] = [];
  readonly #outbox: Notification[] = [];
  #generation = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  submit({ id, idGiven, payload, strict, blocking, workflow, late, ...rest }: Submission): string {
    const key = rest.key ?? null;
    const byId = this.#turns.find((turn) => turn.id === id && this.#answers(turn));
    const byKey = this.#turns.find((turn) => key !== null && turn.key === key && this.#answers(turn));
    if (byId && byKey && byId !== byKey) return "conflict";
    if (byId && key !== null && byId.key !== null && byId.key !== key) return "conflict";
    if (!byId && byKey && idGiven) return "conflict";
    const known = byId ?? byKey;
    if (known) {
      const other = known.payload !== payload;
      if (other && strict) return "payload-mismatch";
      if (key !== null && known.key === null) {
        this.#forget((turn) => turn.key === key);
        known.key = key;
      }
      return `${known.deleted ? "kept" : "known"} ${known.id}${other ? ", other messages" : ""}`;
    }
    this.#forget((turn) => turn.id === id || (key !== null && turn.key === key));
    const generation = late ? Math.max(this.#generation - 1, 0) : this.#generation;
    const fresh = { status: "pending", attempt: 0, applied: false, tools: false } as const;
    const ends = { startedAt: null, completedAt: null, error: null, messageId: null };
    this.#turns.push({ id, key, payload, generation, blocking, workflow, createdAt: this.#now(), ...fresh, ...ends });
    return "accepted";
  }

  claim(): string {
    const head = this.#turns.find(({ status }) => status === "pending");
    if (!head) return "idle";
    if (head.generation < this.#generation) return "stale-generation";
    if (this.#turns.some(({ status }) => status === "running")) return "lane-busy";
    head.status = "running";
    head.attempt += 1;
    head.startedAt = this.#now();
    head.applied ||= head.payload !== undefined;
    this.#claims.push({ turn: head, attempt: head.attempt });
    return `claimed ${head.id}`;
  }

  apply(claim: number): string {
    return this.#byHolder(claim, (turn) => {
      if (turn.applied) return "nothing";
      turn.applied = true;
      return "done";
    });
  }

  tool(claim: number): string {
    return this.#byHolder(claim, (turn) => {
      turn.tools = true;
      return "done";
    });
  }

  step(claim: number): string {
    return this.#byHolder(claim, () => "done");
  }

  settle(claim: number, status: Ended): string {
    return this.#byHolder(claim, (turn) => {
      turn.messageId = status === "completed" ? `answer-${claim}` : null;
      return this.#end(turn, status, status === "completed" || status === "aborted" ? null : REASONS.fail);
    });
  }

  link(claim: number): string {
    const { turn, attempt } = this.#claims[claim]!;
    const present = this.#present(turn.id);
    if (present?.status !== "aborted") return "not-aborted";
    if (present !== turn || present.attempt !== attempt) return "stale-epoch";
    if (turn.messageId !== null) return "already-linked";
    turn.messageId = `answer-${claim}`;
    return "done";
  }

  recover(claim: number): string {
    return this.#byHolder(claim, (turn) => {
      const again = !turn.tools && (turn.applied || turn.payload !== undefined) && turn.attempt < MAX_ATTEMPTS;
      if (!again) return this.#end(turn, "error", "interrupted");
      turn.status = "pending";
      turn.startedAt = null;
      return "done";
    });
  }

  cancel(id: string, reason: string | undefined): string {
    const turn = this.#present(id);
    if (!turn) return "not-found";
    if (turn.completedAt !== null) return "already-terminal";
    return this.#end(turn, "aborted", reason ?? null);
  }

  skip(id: string): string {
    const turn = this.#present(id);
    return turn?.status === "pending" ? this.#end(turn, "skipped", REASONS.skip) : "not-pending";
  }

  delete(id: string, retention: Retention): string {
    const turn = this.#present(id);
    if (!turn) return "not-found";
    if (turn.completedAt === null) return "active";
    const until = retention === "forever" ? Number.POSITIVE_INFINITY : this.#now() + (retention ?? 0);
    turn.deleted = { until };
    const givenUp = this.#outbox.find((entry) => entry.turn === turn && entry.status === "parked");
    if (givenUp) Object.assign(givenUp, { status: "gone", attempts: 0 });
    if (turn.key === null || retention === undefined) this.#turns = this.#turns.filter((other) => other !== turn);
    return "done";
  }

  reset(): string {
    this.#generation += 1;
    for (const turn of this.#turns) {
      if (turn.status === "running") this.#end(turn, "aborted", REASONS.resetAborts);
      if (turn.status === "pending") this.#end(turn, "skipped", REASONS.resetSkips);
    }
    return "done";
  }

  deliver(notification: number, result: Delivery): string {
    const entry = this.#outbox[notification]!;
    if (entry.status !== "due") return "settled";
    const tooLong = entry.failingSince !== null && this.#now() - entry.failingSince >= HOURS_12;
    if (result === "permanent" || (result === "transient" && tooLong)) {
      Object.assign(entry, { status: "parked", attempts: entry.attempts + 1, dueAt: null });
      return "done";
    }
    entry.attempts += 1;
    if (result === "delivered") Object.assign(entry, { status: "gone", attempts: 0, dueAt: null });
    else {
      entry.failingSince ??= this.#now();
      entry.dueAt = this.#now() + 1000 * (entry.attempts > 9 ? 600 : 2 ** entry.attempts);
    }
    return "done";
  }

  view(): View {
    const present = this.#turns.filter((turn) => !turn.deleted);
    return {
      queue: present
        .filter(({ completedAt }) => completedAt === null)
        .map(({ id, status, attempt, applied }) => ({ id, status, attempt, applied })),
      ledger: present
        .filter(({ blocking }) => !blocking)
        .map(({ id, key, status, error, messageId, createdAt, startedAt, completedAt }) => {
          const ended = completedAt !== null;
          const times = [createdAt, ended ? startedAt : null, completedAt];
          return { id, key, status: ended ? status : null, error, messageId, times };
        }),
      tombstones: this.#turns.flatMap((turn) => (turn.deleted ? [`${turn.key} → ${turn.id}`] : [])).toSorted(),
      outbox: this.#outbox.map(({ turn, status, attempts, dueAt }) => ({ id: turn.id, status, attempts, dueAt })),
    };
  }

  #present(id: string): Turn | undefined {
    return this.#turns.find((turn) => turn.id === id && !turn.deleted);
  }

  #answers({ deleted }: Turn): boolean {
    return !deleted || deleted.until > this.#now();
  }

  /** Deleted turns whose id or key is taken over are gone for good, whatever the clock says later. */
  #forget(taken: (turn: Turn) => boolean): void {
    this.#turns = this.#turns.filter((turn) => !turn.deleted || !taken(turn));
  }

  #byHolder(claim: number, act: (turn: Turn) => string): string {
    const { turn, attempt } = this.#claims[claim]!;
    const present = this.#present(turn.id);
    if (present?.status !== "running") return "not-running";
    return present === turn && present.attempt === attempt ? act(turn) : "stale-epoch";
  }

  #end(turn: Turn, status: Ended, error: string | null): string {
    Object.assign(turn, { status, error, completedAt: this.#now() });
    if (turn.workflow) {
      this.#outbox.push({ turn, status: "due", attempts: 0, dueAt: this.#now(), failingSince: null });
    }
    return "done";
  }
}
