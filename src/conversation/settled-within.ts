/** Resolves when the work is done, or when the time is over; the work itself goes on. */
export async function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  const done = new AbortController();
  const deadline = scheduler.wait(ms, { signal: done.signal }).catch(() => {});
  await Promise.race([work, deadline]);
  done.abort();
}
