/** Characters of a reason that go on record: all of most; a model can put its whole prompt into an error. */
const MAX_LENGTH = 8_192;

/** The text of anything thrown, whatever it is: never empty, never a fault of its own, never too long to be stored. */
export function messageOf(error: unknown): string {
  const text = wordsOf(error).toWellFormed();
  return text.trim() === "" ? "Unknown error" : shortened(text);
}

/** The beginning of a text that is too long for a reason, and how much of it is missing. */
export function shortened(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  return `${text.slice(0, MAX_LENGTH).toWellFormed()} … (${text.length - MAX_LENGTH} more characters)`;
}

function wordsOf(error: unknown): string {
  try {
    // What calls itself a message need not be a text.
    return String(error instanceof Error ? error.message : error);
  } catch {
    return "An error that cannot be put into words";
  }
}
