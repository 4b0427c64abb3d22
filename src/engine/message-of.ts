/** Characters of an error's text that go on record: all of most; a model can put its whole prompt into one. */
const MAX_LENGTH = 8_192;

/** The text of anything thrown, whatever it is: never empty, never a fault of its own, never too long to be stored. */
export function messageOf(error: unknown): string {
  const text = wordsOf(error).toWellFormed();
  if (text.trim() === "") return "Unknown error";
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
