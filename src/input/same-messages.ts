/**
 * Do two stored lists of messages say the same? Their ids do not count: a caller who builds the message
 * again for a retry gives it a new one.
 */
export function sameMessages(a: string, b: string): boolean {
  return a === b || withoutIds(a) === withoutIds(b);
}

function withoutIds(text: string): string {
  const messages = JSON.parse(text) as { id?: unknown }[];
  return JSON.stringify(messages.map(({ id: _, ...content }) => content));
}
