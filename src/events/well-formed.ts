/**
 * The same facts, with each half of a surrogate pair replaced by U+FFFD. SQLite stores text as UTF-8, which has no
 * halves, but JSON has: without this a row would not be what its event says.
 */
export const wellFormed = (value: unknown): unknown => {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, wellFormed(member)]));
};
