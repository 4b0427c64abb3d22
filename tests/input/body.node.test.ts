import type { UIMessage } from "ai";
import { describe, expect, test } from "vitest";
import { serializeBody } from "../../src/input/body.ts";
import { stampMessages } from "../../src/input/stamp.ts";
import { expectInputError } from "../support/input-error.ts";

describe("the body of a turn", () => {
  test("is stored as JSON, or absent", () => {
    expect(serializeBody({ a: 1, b: undefined })).toBe('{"a":1}');
    expect(serializeBody(undefined)).toBeUndefined();
  });

  test.each([null, "text", 5, [1]])("%o is no plain object", (body) => {
    expectInputError(() => serializeBody(body), "not-an-object", "body");
  });

  test("that has no JSON is refused", () => {
    expectInputError(() => serializeBody({ n: 1n }), "not-serializable", "body");
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
