import { describe, expect, test } from "vitest";
import { decodeCursor, encodeCursor } from "../../src/queries/cursor.ts";
import { expectInputError } from "../support/input-error.ts";

describe("a cursor of the audit log", () => {
  test("gives back the position it was made of", () => {
    for (const order of ["asc", "desc"] as const) {
      for (const position of [0, 1, 35, 36, 123_456, Number.MAX_SAFE_INTEGER]) {
        expect(decodeCursor(encodeCursor(position, order), order)).toBe(position);
      }
    }
  });

  test("is of the order it was made for", () => {
    expectInputError(() => decodeCursor(encodeCursor(7, "asc"), "desc"), "invalid-cursor", "cursor");
    expectInputError(() => decodeCursor(encodeCursor(7, "desc"), "asc"), "invalid-cursor", "cursor");
  });

  test.each([
    "",
    "asc",
    "asc.",
    "asc.!",
    "asc.-1",
    "asc.1!",
    "asc.1.2",
    "asc.1 ",
    "asc. 1",
    "asc.01",
    "asc.1Z",
    "asc.zzzzzzzzzzzz",
    "ASC.1",
    "7",
  ])("%o is none", (text) => {
    expectInputError(() => decodeCursor(text, "asc"), "invalid-cursor", "cursor");
  });
});
