import { ThinkInputError } from "../errors.ts";

/** Characters of an id or a key. */
export const MAX_IDENTIFIER_LENGTH = 512;

/** A caller's own id or key: text that is stored and compared exactly, so it must survive storage as it is. */
export function checkIdentifier(value: unknown, field: string): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw new ThinkInputError("not-a-string", field, `${field} must be a string`);
  if (value.trim() === "") throw new ThinkInputError("blank", field, `${field} must not be blank`);
  if (value.length > MAX_IDENTIFIER_LENGTH) {
    const message = `${field} has ${value.length} characters; at most ${MAX_IDENTIFIER_LENGTH} are accepted`;
    throw new ThinkInputError("too-long", field, message);
  }
  if (!value.isWellFormed()) {
    throw new ThinkInputError(
      "not-unicode",
      field,
      `${field} has half of a surrogate pair and could not be found again`,
    );
  }
  return value;
}
