/** Waiting for an object from outside, without a single storage operation in it. */
import { setTimeout as sleep } from "node:timers/promises";

/** Longer than the alarms and timers by which either variant comes back to a turn: what they cost belongs to it. */
const QUIET_MS = 1_300;
const REST_MS = 15;
const RESTLESS_MS = 60_000;
const STALLED_MS = 60_000;

/**
 * Asks the object again and again how often the model was called, until that is `count` times; `seen` gets
 * each answer with the time the question was sent. Gives up when nothing moves any more.
 */
export async function follow(object, count, seen, pauseMs = 0) {
  let last = 0;
  for (let movedAt = Date.now(); ;) {
    const sentAt = Date.now();
    const { ticks } = await object.call("benchNoop");
    seen({ sentAt, ticks });
    if (ticks >= count) return;
    if (ticks > last) movedAt = Date.now();
    else if (Date.now() - movedAt > STALLED_MS) throw new Error(`The turns stand still at ${ticks} of ${count}.`);
    last = ticks;
    if (pauseMs) await sleep(pauseMs);
  }
}

/** Resolves once the model was called `count` times. */
export async function untilTicks(object, count) {
  await follow(object, count, () => undefined, 5);
}

/** Resolves to the counts of a metered object once they stand still. */
export async function settledCounts(object) {
  const startedAt = Date.now();
  let before = await object.call("benchMeter");
  for (;;) {
    await sleep(QUIET_MS);
    const now = await object.call("benchMeter");
    if (now.statements === before.statements && now.billed === before.billed) return now;
    if (Date.now() - startedAt > RESTLESS_MS) throw new Error("The object never comes to rest.");
    before = now;
  }
}

/** Lets the object finish what the call before left to do; the empty call then meets it awake. */
export async function rested(object, ms = REST_MS) {
  if (ms) await sleep(ms);
  await object.call("benchNoop");
}

/** The counts of one call on a metered object, with everything that follows from it. */
export async function countsOf(object, method, args) {
  await object.call("benchMeterReset");
  await object.call(method, args);
  return settledCounts(object);
}

/** An object whose lane is held by one turn, with `count` submissions waiting behind it. */
export async function queueUp(object, count) {
  await object.call("open");
  await object.call("benchHold");
  await object.call("benchSubmit");
  await untilTicks(object, 1);
  await object.call("benchSubmitMany", { count });
}
