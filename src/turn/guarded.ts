import { report } from "../engine/console.ts";

/**
 * Wait for a hook that the turn depends on, but not beyond the end of the turn: a hook that never returns
 * must not keep the lane for ever.
 *
 * @throws the hook's own error, or the reason of the abort.
 */
export async function untilAborted<T>(call: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return orAborted(call, signal);
}

/**
 * Call a hook that only observes: what it throws is reported and changes nothing. It is called also when
 * the turn is being ended, but not waited for then.
 */
export async function observing(name: string, call: () => void | Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    await orAborted(call, signal);
  } catch (error) {
    if (error !== signal.reason) report(`${name} threw`, error);
  }
}

async function orAborted<T>(call: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    // A call that throws at once must be a rejection too, or that of `aborted` is nobody's.
    return await Promise.race([(async () => call())(), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
