// Waiting that an AbortSignal can end, leaving neither a timer nor a listener behind.

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** Ends only by abort. It ticks, because a Worker that waits for nothing at all may be ended as hung. */
export async function never(signal: AbortSignal): Promise<never> {
  for (;;) await pause(1_000, signal);
}
