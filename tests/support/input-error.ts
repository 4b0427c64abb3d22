import { expect } from "vitest";
import { ThinkInputError } from "../../src/errors.ts";

/** The call is refused as bad input: with this code, naming this field. */
export function expectInputError(call: () => unknown, code: string, field: string): void {
  expect(call).toThrow(ThinkInputError);
  expect(call).toThrow(expect.objectContaining({ code, field, name: "ThinkInputError" }));
}
