import { report } from "../engine/console.ts";

/**
 * Wait for a hook that the turn depends on, but not beyond the end of the turn: a hook that never returns
 * must not keep the lane for ever.
 *
 * @throws the hook's own error, or the reason of the abort.
 */
export async function untilAborted<T>(call: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([call(), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Call a hook that only observes: what it throws is reported and changes nothing. */
export async function observing(name: string, call: () => void | Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    report(`${name} threw`, error);
  }
}
