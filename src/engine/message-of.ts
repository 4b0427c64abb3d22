/** The text of anything thrown, never empty. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim() === "" ? "Unknown error" : text;
}
