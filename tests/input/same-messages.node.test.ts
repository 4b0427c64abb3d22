import { describe, expect, test } from "vitest";
import { sameMessages } from "../../src/input/same-messages.ts";

const text = '[{"id":"m1","role":"user","parts":[{"type":"text","text":"Hi"}],"metadata":{"a":[1,null],"b":{}}}]';

describe("FR-13: messages are the same", () => {
  test.each([
    ["as they are", text],
    ["under another id", text.replace("m1", "m2")],
    [
      "with their members in another order, at any depth",
      '[{"metadata":{"b":{},"a":[1,null]},"parts":[{"text":"Hi","type":"text"}],"role":"user","id":"m2"}]',
    ],
  ])("%s", (_, other) => {
    expect(sameMessages(text, other)).toBe(true);
  });

  test("however deep they are", () => {
    const deep = (id: string) => `[{"id":"${id}","metadata":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}]`;
    expect(sameMessages(deep("m1"), deep("m2"))).toBe(true);
  });
});

describe("FR-13: messages are not the same", () => {
  test.each([
    ["with another text", text.replace("Hi", "Ho")],
    ["with a member more", text.replace('"b":{}', '"b":{},"c":1')],
    ["with a member less", text.replace(',"b":{}', "")],
    ["with a member of another name", text.replace('"b"', '"c"')],
    ["with items in another order", text.replace("[1,null]", "[null,1]")],
    ["with a number for its text", text.replace("1,null", '"1",null')],
    ["with a list for an object", text.replace("{}", "[]")],
    ["with nothing for an object", text.replace("{}", "null")],
    ["with a message more", text.replace(/]$/, ',{"id":"m2","role":"user","parts":[]}]')],
    ["with an id of a part, which does count", text.replace('"type"', '"id":"p","type"')],
    ["with an inherited name", text.replace('"b":{}', '"toString":{}')],
  ])("%s", (_, other) => {
    expect(sameMessages(text, other)).toBe(false);
  });
});
