import { ThinkInputError } from "../errors.ts";

/** A cursor names the last event seen and the order it was seen in; to callers it is opaque. */
export const encodeCursor = (position: number, order: "asc" | "desc"): string => `${order}.${position.toString(36)}`;

/** @throws {ThinkInputError} when it is not a cursor, or one of the other order. */
export function decodeCursor(cursor: string, order: "asc" | "desc"): number {
  const position = Number.parseInt(cursor.slice(order.length + 1), 36);
  // parseInt reads what it can: only a cursor that would be made again is one.
  if (!Number.isSafeInteger(position) || position < 0 || encodeCursor(position, order) !== cursor) {
    throw new ThinkInputError("invalid-cursor", "cursor", `cursor is not one of this query with order "${order}"`);
  }
  return position;
}
