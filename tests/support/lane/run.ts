import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { fixedClock } from "../../../src/testing/fixed.ts";
import { checkReadModels, LogWatch } from "./invariants.ts";
import { type Lane, MAX_ATTEMPTS, REASONS } from "./lane.ts";
import { ModelLane } from "./model.ts";
import type { Operation } from "./operations.ts";
import { ProductLane } from "./product.ts";

/** What the runs of a property met, to see that they met everything. */
export type Seen = Map<string, number>;

/**
 * Does the operations to the product and to the model, one after the other, compares what came of each, and
 * checks the log and the read models at every prefix. At the end the lane is drained.
 */
export class Run {
  readonly #clock = fixedClock(1_000_000);
  readonly #product = new ProductLane(this.#clock.now);
  readonly #model = new ModelLane(this.#clock.now);
  readonly #watch = new LogWatch(this.#product.log);
  readonly #seen: Seen;
  readonly #ids: string[] = [];
  #generated = 0;
  #claims = 0;
  /** The claim that the worker has in memory. */
  #held: number | undefined;
  /** The claim that is on record as running. */
  #running: number | undefined;

  constructor(seen: Seen) {
    this.#seen = seen;
  }

  do(operations: readonly Operation[]): void {
    for (const operation of operations) this.#one(operation);
    this.#drain();
    for (const { type } of this.#product.log.after(0)) this.#note(type);
  }

  #one(operation: Operation): void {
    switch (operation.op) {
      case "submit": {
        const id = operation.id ?? `generated-${(this.#generated += 1)}`;
        if (!this.#ids.includes(id)) this.#ids.push(id);
        const blocking = [operation.id, operation.key, operation.payload].every((given) => given === undefined);
        const submission = { ...operation, id, idGiven: operation.id !== undefined, blocking };
        return void this.#both("submit", (lane) => lane.submit(submission));
      }
      case "apply":
        return this.#holding((claim) => void this.#both("apply", (lane) => lane.apply(claim)));
      case "tool":
        return this.#holding((claim) => void this.#both("tool", (lane) => lane.tool(claim)));
      case "step":
        return this.#holding((claim) => void this.#both("step", (lane) => lane.step(claim)));
      case "claim":
        return this.#claim();
      case "settle":
        return this.#holding((claim) => {
          this.#both("settle", (lane) => lane.settle(claim, operation.status));
          this.#held = undefined;
        });
      case "late":
        return this.#late(operation);
      case "cancel":
        return this.#target(operation.target, (id) =>
          this.#both("cancel", (lane) => lane.cancel(id, operation.reason)),
        );
      case "skip":
        return this.#target(operation.target, (id) => this.#both("skip", (lane) => lane.skip(id)));
      case "delete":
        return this.#target(operation.target, (id) =>
          this.#both("delete", (lane) => lane.delete(id, operation.retention)),
        );
      case "reset":
        this.#both("reset", (lane) => lane.reset());
        return deepStrictEqual(this.#product.view().queue, [], "a reset leaves nothing alive");
      case "race":
        return this.#race(operation);
      case "deliver": {
        const { length } = this.#model.view().outbox;
        const entry = operation.target % Math.max(length, 1);
        return length === 0 ? undefined : void this.#both("deliver", (lane) => lane.deliver(entry, operation.result));
      }
      case "crash":
        this.#held = undefined;
        return undefined;
      case "wake":
        return this.#wake();
      case "crashLoop":
        return this.#crashLoop();
      case "time":
        return this.#clock.advance(operation.ms);
      default:
        return operation satisfies never;
    }
  }

  /** The same to both; the same must come of it; and everything must hold after it. */
  #both(name: string, act: (lane: Lane) => string): string {
    const expected = act(this.#model);
    strictEqual(act(this.#product), expected, `what comes of ${name}`);
    this.#note(`${name}: ${expected.replace(/ (generated-\d+|[ab])\b/, "")}`);
    this.#watch.check();
    checkReadModels(this.#product.log);
    deepStrictEqual(this.#product.view(), this.#model.view());
    return expected;
  }

  #claim(): void {
    // A worker that has a turn in hand does not look for another; one that forgot it might.
    const came = this.#both("claim", (lane) => lane.claim());
    if (came === "stale-generation") {
      const stale = this.#model.view().queue.find(({ status }) => status === "pending")!;
      this.#both("skip", (lane) => lane.skip(stale.id));
    }
    if (came.startsWith("claimed")) this.#claimed();
  }

  #claimed(): void {
    this.#held = this.#claims;
    this.#running = this.#claims;
    this.#claims += 1;
  }

  /** What an object does when it wakes and finds a turn on record as running that it does not run. */
  #wake(): void {
    const running = this.#model.view().queue.some(({ status }) => status === "running");
    if (!running || this.#held !== undefined) return;
    this.#both("recover", (lane) => lane.recover(this.#running!));
  }

  #late({ claim: pick, act, status }: Extract<Operation, { op: "late" }>): void {
    if (this.#claims === 0) return;
    // The newest first.
    const claim = this.#claims - 1 - (pick % this.#claims);
    // Recovery does not interrupt what this very object runs.
    if (act === "recover" && claim === this.#held) return;
    this.#both(`late ${act}`, (lane) => (act === "settle" ? lane.settle(claim, status) : lane[act](claim)));
  }

  /** Two who decide on the same state. The model does what the first does, and nothing else. */
  #race({ against, cancelFirst }: Extract<Operation, { op: "race" }>): void {
    const wanted = against === "settle" ? "running" : "pending";
    const { queue } = this.#model.view();
    const target = queue.find(({ status }) => status === wanted);
    const blocked = against === "claim" && queue.some(({ status }) => status === "running");
    if (!target || blocked) return;
    const claim = against === "settle" ? this.#running : undefined;
    const first = (lane: Lane): string => {
      if (cancelFirst) return lane.cancel(target.id, REASONS.race);
      if (claim !== undefined) return lane.settle(claim, "completed");
      return lane.claim().replace(/^claimed.*/, "done");
    };
    const came = this.#both(
      `race of ${cancelFirst ? "cancel" : against} with ${cancelFirst ? against : "cancel"}`,
      (lane) => (lane === this.#product ? this.#product.raceWithCancel(cancelFirst, target.id, claim) : first(lane)),
    );
    if (came === "done" && against === "claim" && !cancelFirst) this.#claimed();
  }

  /** Every attempt at the head kills the object: that ends. */
  #crashLoop(): void {
    this.#held = undefined;
    this.#wake();
    const head = this.#model.view().queue[0]?.id;
    for (let crashes = 0; head !== undefined && this.#model.view().queue[0]?.id === head; crashes += 1) {
      ok(crashes <= MAX_ATTEMPTS, "a turn that kills its object stops by itself");
      this.#claim();
      this.#held = undefined;
      this.#wake();
    }
  }

  #drain(): void {
    this.#held = undefined;
    this.#wake();
    for (let turns = 0; this.#model.view().queue.length > 0; turns += 1) {
      ok(turns < 1000, "a drain ends");
      this.#claim();
      this.#holding((claim) => void this.#both("settle", (lane) => lane.settle(claim, "completed")));
      this.#held = undefined;
    }
    const { queue, ledger } = this.#product.view();
    deepStrictEqual(queue, [], "nothing waits once the lane is drained");
    ok(
      ledger.every(({ status }) => status !== null),
      "every accepted turn has ended",
    );
  }

  #holding(act: (claim: number) => void): void {
    if (this.#held !== undefined) act(this.#held);
  }

  #target(pick: number, act: (id: string) => unknown): void {
    const id = this.#ids[pick % Math.max(this.#ids.length, 1)];
    if (id !== undefined) act(id);
  }

  #note(what: string): void {
    this.#seen.set(what, (this.#seen.get(what) ?? 0) + 1);
  }
}
