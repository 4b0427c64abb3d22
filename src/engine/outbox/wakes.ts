import type { OutboxQueries } from "../../queries/index.ts";
import type { Clock, OutboxAlarm } from "../ports.ts";

type WakeParts = { readonly queries: OutboxQueries; readonly alarm: OutboxAlarm; readonly clock: Clock };

/** How soon this object is woken if it stops in the middle of a delivery. */
const BACKSTOP_MS = 30_000;

/** Keeps the one alarm of the outbox where it belongs: at the earliest of what is due, and nowhere when nothing is. */
export class Wakes {
  readonly #parts: WakeParts;
  /** What is being delivered needs no wake, except for the case that this object stops. */
  readonly #inFlight: ReadonlyMap<string, unknown>;
  #aligning: Promise<void> | undefined;

  constructor(parts: WakeParts, inFlight: ReadonlyMap<string, unknown>) {
    this.#parts = parts;
    this.#inFlight = inFlight;
  }

  /** Something is being delivered: have this object woken, unless some alarm of ours is set anyway. */
  async cover(): Promise<void> {
    const { alarm, clock } = this.#parts;
    if (!alarm.covered()) await alarm.set(clock.now());
  }

  /** When the outbox is to be woken; `undefined`: not at all. */
  next(): number | undefined {
    const earliest = this.#earliest();
    const backstop = this.#inFlight.size === 0 ? undefined : this.#parts.clock.now() + BACKSTOP_MS;
    return earliest === undefined || backstop === undefined ? (earliest ?? backstop) : Math.min(earliest, backstop);
  }

  /** Set the alarm right. One that is set earlier is left alone while something is in flight: it ends with that. */
  async align(): Promise<void> {
    const { alarm, clock } = this.#parts;
    const [earliest, set, busy] = [this.#earliest(), alarm.time(), this.#inFlight.size > 0];
    if (earliest === undefined) {
      if (!busy && set !== undefined) await alarm.cancel();
      if (busy && !alarm.covered()) await alarm.set(clock.now() + BACKSTOP_MS);
    } else if (set === undefined || (busy ? earliest < set : earliest !== set)) {
      await alarm.set(earliest);
    }
  }

  /** The same, once for all that ask in the same breath. */
  alignSoon(): Promise<void> {
    this.#aligning ??= scheduler.wait(0).then(() => {
      this.#aligning = undefined;
      return this.align();
    });
    return this.#aligning;
  }

  #earliest(): number | undefined {
    const due = this.#parts.queries.due(this.#inFlight.size + 1);
    return due.find(({ notificationId }) => !this.#inFlight.has(notificationId))?.dueAt;
  }
}
