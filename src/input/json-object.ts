import { ThinkInputError } from "../errors.ts";
import { checkNesting } from "./nesting.ts";

/** Bytes of metadata, or of a turn's body, as JSON. */
export const MAX_OBJECT_BYTES = 256_000;

/**
 * A caller's own data as the JSON that is stored; `undefined` when there is none. Undefined members vanish.
 *
 * @throws {ThinkInputError} naming the field.
 */
export function serializeObject(value: unknown, field: string, maxBytes = MAX_OBJECT_BYTES): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw notAnObject(field);
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new ThinkInputError("not-serializable", field, `${field} cannot be stored as JSON`, { cause });
  }
  // An object with a toJSON of its own may give anything.
  if (text === undefined || !text.startsWith("{")) throw notAnObject(field);
  if (new TextEncoder().encode(text).byteLength > maxBytes) {
    throw new ThinkInputError("too-large", field, `${field} is larger than ${maxBytes} bytes as JSON`);
  }
  checkNesting(text, field);
  return text;
}

const notAnObject = (field: string): ThinkInputError =>
  new ThinkInputError("not-an-object", field, `${field} must be a plain object`);
