import { scheduleFault } from "./fault.ts";
import type { IntervalSchedule } from "./schedule.ts";

const INTERVAL = /^every ([1-9]\d*) (minute|hour)(s?)$/i;
const MINUTE = 60_000;

/** Some three thousand years: what lies further ahead is no date any more. */
const MAX_INTERVAL_MS = 1e14;

/** `every 15 minutes`; `undefined` for what is no interval. */
export function parseInterval(raw: string): IntervalSchedule | undefined {
  const [, digits, unit, plural] = INTERVAL.exec(raw) ?? [];
  if (digits === undefined || unit === undefined) return undefined;
  const count = Number(digits);
  if (count === 1 && plural) throw scheduleFault("singular-unit", [raw]);
  if (count > 1 && !plural) throw scheduleFault("plural-unit", [raw]);
  const everyMs = count * (unit.toLowerCase() === "hour" ? 60 * MINUTE : MINUTE);
  if (everyMs > MAX_INTERVAL_MS) throw scheduleFault("interval-too-long", [raw]);
  return { kind: "interval", everyMs, text: raw.toLowerCase() };
}
