import type { RetryPolicy } from "./retry.ts";

export type Attempted<T> =
  | { readonly ok: true; readonly value: T; readonly attempts: number }
  | { readonly ok: false; readonly error: unknown; readonly attempts: number };

/**
 * Try until it works, or the tries are used up. A random wait before each further try, within bounds that double.
 *
 * @param isFinal - An error after which a further try can change nothing.
 */
export async function attempt<T>(
  { maxAttempts, baseDelayMs, maxDelayMs }: RetryPolicy,
  run: (attempt: number) => Promise<T>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<Attempted<T>> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return { ok: true, value: await run(attempts), attempts };
    } catch (error) {
      if (attempts >= maxAttempts || isFinal(error)) return { ok: false, error, attempts };
    }
    await scheduler.wait(Math.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** attempts));
  }
}
