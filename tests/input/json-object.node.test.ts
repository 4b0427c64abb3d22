import type { UIMessage } from "ai";
import { describe, expect, test } from "vitest";
import { serializeObject } from "../../src/input/json-object.ts";
import { stampMessages } from "../../src/input/stamp.ts";
import { expectInputError } from "../support/input-error.ts";

describe("the body of a turn", () => {
  test("is stored as JSON, or absent", () => {
    expect(serializeObject({ a: 1, b: undefined }, "body")).toBe('{"a":1}');
    expect(serializeObject(undefined, "body")).toBeUndefined();
  });

  test.each([null, "text", 5, [1]])("%o is no plain object", (body) => {
    expectInputError(() => serializeObject(body, "body"), "not-an-object", "body");
  });

  test("that has no JSON is refused", () => {
    expectInputError(() => serializeObject({ toJSON: () => undefined }, "body"), "not-an-object", "body");
    expectInputError(() => serializeObject({ n: 1n }, "body"), "not-serializable", "body");
  });
});

describe("the stamp of the server", () => {
  const user: UIMessage = { id: "m1", role: "user", parts: [], metadata: { channel: "forged", own: 1 } };
  const answer: UIMessage = { id: "m2", role: "assistant", parts: [] };

  test("is on the messages of the user, over what they say themselves", () => {
    expect(stampMessages([user, answer], { channel: "web" })).toEqual([
      { ...user, metadata: { channel: "web", own: 1 } },
      answer,
    ]);
  });

  test("that says nothing changes nothing", () => {
    expect(stampMessages([user, answer], { channel: undefined })).toEqual([user, answer]);
  });

  test("leaves what is no message for the check that follows", () => {
    expect(stampMessages([null, 5] as never, { channel: "web" })).toEqual([null, 5]);
  });
});
