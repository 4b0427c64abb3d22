/** A cancellation's reason as the text that is kept: none for none, an error's message, anything else as text. */
export function reasonText(reason: unknown): string | undefined {
  if (reason === undefined) return undefined;
  return reason instanceof Error ? reason.message : String(reason);
}
