import { equals, type Record as Local, toZonedDateTime } from "temporal-polyfill/fns/PlainDateTime";
import { getTimeZoneTransition, type Record as Zoned, toPlainDateTime } from "temporal-polyfill/fns/ZonedDateTime";

/**
 * When the clocks of a zone show a local time: the first time, if they show it twice. If they never show it,
 * because they were put forward over it, the moment at which they were.
 */
export function onTheClock(local: Local, timeZone: string): Zoned {
  const shown = toZonedDateTime(local, timeZone);
  if (equals(toPlainDateTime(shown), local)) return shown;
  const before = toZonedDateTime(local, timeZone, { disambiguation: "earlier" });
  return getTimeZoneTransition(before, "next") ?? shown;
}
