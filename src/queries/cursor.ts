import { ThinkInputError } from "../errors.ts";

/** A cursor names the last event seen and the order it was seen in; to callers it is opaque. */
export const encodeCursor = (position: number, order: "asc" | "desc"): string => `${order}.${position.toString(36)}`;

/** @throws {ThinkInputError} when it is not a cursor, or one of the other order. */
export function decodeCursor(cursor: string, order: "asc" | "desc"): number {
  const [madeFor, text] = cursor.split(".");
  const position = Number.parseInt(text ?? "", 36);
  if (madeFor !== order || !Number.isSafeInteger(position)) {
    throw new ThinkInputError("invalid-cursor", "cursor", `cursor is not one of this query with order "${order}"`);
  }
  return position;
}
