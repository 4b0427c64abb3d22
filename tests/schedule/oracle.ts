/** What the clocks of the world show, minute by minute and from `Intl` alone: slow, and nothing in common with the code under test. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY_MINUTES = 24 * 60;
const WEEK = 7 * 24 * HOUR;

/** Minutes that a clock on the wall would count, were it never put forward or back. */
export type LocalMinutes = (instant: number) => number;

export function wallClockOf(timeZone: string): LocalMinutes {
  const format = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "short" });
  return (instant) => Date.parse(`${format.format(instant).replace(" ", "T")}Z`) / MINUTE;
}

export type Transition = { readonly timeZone: string; readonly at: number };

/** Every change of offset in the years of all zones; zones that do the same at the same time stand for each other. */
export function transitions(fromYear: number, toYear: number): Transition[] {
  const found = new Map<string, Transition>();
  for (const timeZone of Intl.supportedValuesOf("timeZone")) {
    const clock = wallClockOf(timeZone);
    const offset = (instant: number) => clock(instant) - instant / MINUTE;
    for (let week = Date.UTC(fromYear, 0); week < Date.UTC(toYear + 1, 0); week += WEEK) {
      if (offset(week) === offset(week + WEEK)) continue;
      const at = firstMinute(week, week + WEEK, (instant) => offset(instant) !== offset(week));
      found.set(`${at} ${offset(week)} ${offset(at)}`, { timeZone, at });
    }
  }
  return [...found.values()];
}

function firstMinute(before: number, after: number, isPast: (instant: number) => boolean): number {
  let [low, high] = [before, after];
  while (high - low > MINUTE) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE;
    if (isPast(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The minutes around an instant with what the clock shows in each. */
export class Window {
  readonly start: number;
  readonly #shown: readonly number[];

  constructor({ timeZone, at }: Transition, hours = 30) {
    const clock = wallClockOf(timeZone);
    this.start = at - hours * HOUR;
    this.#shown = Array.from({ length: hours * 120 }, (_, minute) => clock(this.start + minute * MINUTE));
  }

  get end(): number {
    return this.start + this.#shown.length * MINUTE;
  }

  /** The minutes in which the clock first comes to a time of day, or past it. */
  slots(timeOfDay: number, weekdays: readonly number[]): number[] {
    const slots: number[] = [];
    let furthest = Math.floor(((this.#shown[0] ?? 0) - timeOfDay) / DAY_MINUTES);
    for (const [minute, shown] of this.#shown.entries()) {
      const days = Math.floor((shown - timeOfDay) / DAY_MINUTES);
      if (days > furthest && weekdays.includes(weekdayOf(shown))) slots.push(this.start + minute * MINUTE);
      furthest = Math.max(furthest, days);
    }
    return slots;
  }
}

/** 1 January 1970 was a Thursday. */
const weekdayOf = (localMinutes: number): number => ((Math.floor(localMinutes / DAY_MINUTES) + 3) % 7) + 1;
