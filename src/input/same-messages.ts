/**
 * Do two stored lists of messages say the same? Their ids do not count: a caller who builds the message
 * again for a retry gives it a new one. Nor does the order in which members were written.
 */
export function sameMessages(a: string, b: string): boolean {
  return a === b || sameJson(withoutIds(a), withoutIds(b));
}

function withoutIds(text: string): unknown[] {
  const messages = JSON.parse(text) as { id?: unknown }[];
  return messages.map(({ id: _, ...content }) => content);
}

/**
 * Do two JSON values say the same, in whatever order their members were written?
 *
 * A list that grows rather than a function that calls itself: how deep messages are is the caller's choice.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  const pairs = [[a, b]];
  for (const [one, other] of pairs) {
    if (one === other) continue;
    if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other)) return false;
    const names = Object.keys(one);
    if (names.length !== Object.keys(other).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(other, name)) return false;
      pairs.push([one[name], other[name]]);
    }
  }
  return true;
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
