/** Waiting for an object from outside, without a single storage operation in it. */
import { setTimeout as sleep } from "node:timers/promises";

const QUIET_MS = 60;
const GIVE_UP_MS = 15 * 60_000;

/** Resolves once the model was called `count` times. */
export async function untilTicks(object, count) {
  const deadline = Date.now() + GIVE_UP_MS;
  while ((await object.call("benchNoop")).ticks < count) {
    if (Date.now() > deadline) throw new Error(`The model was not called ${count} times.`);
    await sleep(5);
  }
}

/** Resolves to the counts of a metered object once they stand still. */
export async function settledCounts(object) {
  let before = await object.call("benchMeter");
  for (;;) {
    await sleep(QUIET_MS);
    const now = await object.call("benchMeter");
    if (now.statements === before.statements && now.billed === before.billed) return now;
    before = now;
  }
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
