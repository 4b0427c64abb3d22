import { expect, test } from "vitest";
import { checkNesting, MAX_NESTING } from "../../src/input/nesting.ts";

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
const padded = (json: string): string => `{"text":"${"[".repeat(500)}\\\\","value":${json}}`;

test("JSON may be as deep as the limit, wherever in it, and no deeper", () => {
  expect(() => checkNesting(nested(MAX_NESTING), "messages")).not.toThrow();
  expect(() => checkNesting(padded(nested(MAX_NESTING - 1)), "messages")).not.toThrow();
  expect(() => checkNesting(nested(MAX_NESTING + 1), "messages")).toThrow(/messages is nested deeper than 200 levels/);
  expect(() => checkNesting(padded(nested(MAX_NESTING)), "body")).toThrow(expect.objectContaining({ field: "body" }));
});

test("brackets in texts are no levels", () => {
  expect(() => checkNesting(JSON.stringify({ text: '["\\"['.repeat(1_000) }), "body")).not.toThrow();
});
