import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nextOccurrence } from "../../src/schedule/next-occurrence.ts";
import type { Weekday, WallClockSchedule } from "../../src/schedule/schedule.ts";
import { wallClockOf, transitions, type Transition, Window } from "./oracle.ts";

const HOUR = 3_600_000;
const EVERY_DAY: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7];

const changes: readonly Transition[] = [
  ...transitions(2024, 2028),
  { timeZone: "Pacific/Apia", at: Date.parse("2011-12-30T10:00Z") },
  { timeZone: "Pacific/Fakaofo", at: Date.parse("2011-12-30T10:00Z") },
];

const windows = new Map<Transition, Window>();

function windowOf(change: Transition): Window {
  const window = windows.get(change) ?? new Window(change);
  windows.set(change, window);
  return window;
}

const scheduleAt = (timeZone: string, minutes: number, weekdays: readonly Weekday[]): WallClockSchedule => ({
  kind: "wall-clock",
  weekdays,
  hour: Math.floor(minutes / 60),
  minute: minutes % 60,
  timeZone,
  text: "",
});

/** All slots after one instant and before another. */
function slots(schedule: WallClockSchedule, after: number, before: number): number[] {
  const found: number[] = [];
  for (let slot = nextOccurrence(schedule, after); slot !== undefined && slot < before;) {
    found.push(slot);
    slot = nextOccurrence(schedule, slot);
  }
  return found;
}

test("C-13 to C-17: at every change of the clocks of five years the slots are those of a minute-by-minute search", () => {
  expect(changes.length).toBeGreaterThan(250);
  for (const change of changes) {
    const window = windowOf(change);
    const before = wallClockOf(change.timeZone)(change.at - 60_000);
    // Round the change on both sides, in steps that meet half-hour gaps in the middle and at their ends.
    for (let minutes = before - 134; minutes <= before + 136; minutes += 15) {
      const timeOfDay = ((minutes % 1440) + 1440) % 1440;
      const schedule = scheduleAt(change.timeZone, timeOfDay, EVERY_DAY);
      const expected = window.slots(timeOfDay, EVERY_DAY);
      expect(slots(schedule, window.start, window.end), `${change.timeZone} ${timeOfDay}`).toEqual(expected);
    }
  }
}, 60_000);

const weekdays = fc.subarray([...EVERY_DAY], { minLength: 1 });
const timeOfDay = fc.integer({ min: 0, max: 1439 });

/** From the same instant, both find the same slot, or both find none before the window ends. */
function agree(change: Transition, window: Window, minutes: number, days: readonly Weekday[], after: number): void {
  const found = nextOccurrence(scheduleAt(change.timeZone, minutes, days), after);
  const inWindow = found !== undefined && found < window.end ? found : undefined;
  expect(inWindow).toBe(window.slots(minutes, days).find((slot) => slot > after));
}

test("C-16: also for any time, any days and any start near a change", () => {
  const near = fc.integer({ min: -30 * HOUR, max: 30 * HOUR });
  fc.assert(
    fc.property(fc.constantFrom(...changes), timeOfDay, weekdays, near, (change, minutes, days, distance) => {
      agree(change, windowOf(change), minutes, days, change.at + distance);
    }),
    { numRuns: 1500 },
  );
}, 60_000);

test("C-13: and anywhere, at any time", () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
  const minute = fc.integer({ min: Date.UTC(2000, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 });
  fc.assert(
    fc.property(zones, minute, timeOfDay, weekdays, (timeZone, minuteOfEpoch, minutes, days) => {
      const place = { timeZone, at: minuteOfEpoch * 60_000 };
      agree(place, new Window(place), minutes, days, place.at);
    }),
    { numRuns: 60 },
  );
}, 60_000);
