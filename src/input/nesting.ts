import { ThinkInputError } from "../errors.ts";

/** How deep JSON that comes from outside may go: what is deeper can be read, but not always be written again. */
export const MAX_NESTING = 200;

/** @throws {ThinkInputError} naming the field. */
export function checkNesting(json: string, field: string): void {
  // A short text cannot be deep.
  if (json.length <= 2 * MAX_NESTING || nestingOf(json) <= MAX_NESTING) return;
  throw new ThinkInputError("too-deep", field, `${field} is nested deeper than ${MAX_NESTING} levels`);
}

/** Brackets that are open at a time, outside of texts. */
function nestingOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < json.length; index += 1) {
    switch (json.charCodeAt(index)) {
      case QUOTE:
        index = endOfText(json, index);
        break;
      case BRACE:
      case BRACKET:
        depth += 1;
        if (depth > deepest) deepest = depth;
        break;
      case BRACE + 2:
      case BRACKET + 2:
        depth -= 1;
        break;
    }
  }
  return deepest;
}

function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, index: number): boolean {
  let slashes = 0;
  while (json.charCodeAt(index - 1 - slashes) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const BRACKET = 0x5b;
