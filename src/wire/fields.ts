import { ThinkInputError } from "../errors.ts";
import { checkNesting } from "../input/nesting.ts";
import { checkIdentifier } from "../input/identifiers.ts";

export type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @throws {ThinkInputError} naming the field. */
export function requireIdentifier(value: unknown, field: string): string {
  const id = checkIdentifier(value, field);
  if (id === undefined) throw new ThinkInputError("missing", field, `${field} is missing`);
  return id;
}

/** @throws {ThinkInputError} naming the field. */
export function optionalText(value: unknown, field: string): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw new ThinkInputError("not-a-string", field, `${field} must be a string`);
}

/**
 * Also what came as JSON may have none: it can be nested deeper than can be written.
 *
 * @throws {ThinkInputError} naming the field.
 */
export function jsonOf(value: unknown, field: string): string {
  let json: string;
  try {
    json = JSON.stringify(value);
  } catch (cause) {
    throw new ThinkInputError("not-serializable", field, `${field} cannot be stored as JSON`, { cause });
  }
  checkNesting(json, field);
  return json;
}
