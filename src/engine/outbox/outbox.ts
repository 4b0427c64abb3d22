import { recordDelivery } from "../../commands/index.ts";
import { turnStream } from "../../events/index.ts";
import type { OutboxRow } from "../../projections/index.ts";
import type { OutboxQueries } from "../../queries/index.ts";
import { ENGINE } from "../cause.ts";
import { report } from "../console.ts";
import type { Dispatcher } from "../dispatcher.ts";
import type { Clock, OutboxAlarm, WorkflowSender } from "../ports.ts";
import type { Store } from "../store.ts";
import { send } from "./send.ts";
import { Slots } from "./slots.ts";
import { Wakes } from "./wakes.ts";

export type OutboxParts = {
  readonly store: Store;
  readonly queries: OutboxQueries;
  readonly dispatcher: Dispatcher;
  readonly sender: WorkflowSender;
  readonly alarm: OutboxAlarm;
  readonly clock: Clock;
};

/** Deliveries at a time, of what is new and of what failed before; and how long one counts as one of them. */
const AT_A_TIME = 10;
const FRESH_SLOT_MS = 200;
const AGAIN_SLOT_MS = 2_000;

/** Rows looked at in one go; what is due beyond them comes with the next. */
const BATCH = 500;

/** How long a notification rests whose delivery could not be put on record. */
const REST_MS = 30_000;

/**
 * Delivers notifications, each for itself: one that is slow, or dead, delays no other. What is new has slots of its
 * own, so that it does not wait behind what failed before.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #wakes: Wakes;
  readonly #fresh = new Slots(AT_A_TIME, FRESH_SLOT_MS);
  readonly #again = new Slots(AT_A_TIME, AGAIN_SLOT_MS);
  /** Being delivered, by id: one delivery of each at a time. */
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #work = new Set<Promise<void>>();

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#wakes = new Wakes(parts, this.#inFlight);
  }

  /** Deliver one that was queued just now. Resolves when it is sure that it will be, whatever happens to this object. */
  deliver(notificationId: string): Promise<void> {
    this.#start(notificationId, this.#fresh);
    return this.#wakes.cover();
  }

  /** Deliver what is due. Resolves when the next wake is set. */
  deliverDue(): Promise<void> {
    const now = this.#parts.clock.now();
    for (const { notificationId, dueAt } of this.#parts.queries.due(BATCH)) {
      if (dueAt <= now) this.#start(notificationId, this.#again);
    }
    return this.#wakes.align();
  }

  /** Resolves when this one is not being delivered, and what became of it is on record. */
  settled(notificationId: string): Promise<void> {
    return this.#inFlight.get(notificationId) ?? Promise.resolve();
  }

  get busy(): boolean {
    return this.#work.size > 0;
  }

  /** Resolves when nothing is being delivered, and the wake for what is due later is set. */
  async idle(): Promise<void> {
    while (this.busy) await Promise.all(this.#work);
  }

  /** When the outbox wants to be woken next, in epoch milliseconds; `undefined`: not at all. */
  nextWake(): number | undefined {
    return this.#wakes.next();
  }

  #start(notificationId: string, slots: Slots): void {
    if (this.#inFlight.has(notificationId)) return;
    const delivery = slots.run(() => this.#attempt(notificationId));
    this.#inFlight.set(
      notificationId,
      delivery.catch(() => {}),
    );
    const work = delivery
      .catch((error: unknown) => this.#rest(notificationId, error))
      .then(() => this.#wakes.alignSoon())
      .catch((error: unknown) => report("The outbox could not set its alarm; the next wake repairs it", error))
      .finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  async #attempt(notificationId: string): Promise<void> {
    const { store, sender } = this.#parts;
    // Whoever queued it may still be inside a transaction of their own, which can take it back.
    await scheduler.wait(0);
    const due = store.projections.outbox.load(notificationId);
    const result = due && (await send(due, store, sender));
    // Without a break to its record: one that is queued again from here on is another delivery.
    this.#inFlight.delete(notificationId);
    if (result) this.#record(due, result);
  }

  #record({ notificationId, turnId }: OutboxRow, result: Awaited<ReturnType<typeof send>>): void {
    const { store, clock, dispatcher } = this.#parts;
    const stream = turnStream(turnId);
    const due = store.projections.outbox.load(notificationId);
    const decision = recordDelivery({ result, now: clock.now() }, { stream, version: store.turn(stream).version, due });
    if (decision.kind === "refuse") return;
    dispatcher.record(decision.appends, { actor: ENGINE, causationId: `notification:${notificationId}` });
  }

  /** Its delivery could not be put on record, so it will be delivered again: not over and over. */
  async #rest(notificationId: string, error: unknown): Promise<void> {
    report(`The delivery of notification ${notificationId} could not be recorded`, error);
    this.#inFlight.set(notificationId, Promise.resolve());
    await scheduler.wait(REST_MS);
    this.#inFlight.delete(notificationId);
  }
}
