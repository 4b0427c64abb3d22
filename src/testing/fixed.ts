/** A clock that goes only where a test sends it: standing still and stepping back included. */
export type FixedClock = { readonly now: () => number; readonly advance: (ms: number) => void };

/**
 * Time for tests. As in production Workers, it stands still until something moves it.
 *
 * @example
 * import { fixedClock } from "thinklog/testing";
 * const clock = fixedClock(1_000);
 * clock.advance(-500);
 * console.log(clock.now()); // 500
 */
export function fixedClock(start = 0): FixedClock {
  let time = start;
  return {
    now: () => time,
    advance: (ms) => {
      time += ms;
    },
  };
}

/**
 * Ids that are the same in every run.
 *
 * @example
 * import { fixedIds } from "thinklog/testing";
 * const ids = fixedIds("turn");
 * console.log(ids.uuid(), ids.uuid(), ids.salt()); // turn-1 turn-2 salt
 */
export function fixedIds(prefix = "id"): { readonly uuid: () => string; readonly salt: () => string } {
  let made = 0;
  return { uuid: () => `${prefix}-${(made += 1)}`, salt: () => "salt" };
}
