import type { UIMessage } from "ai";
import { describe, expect, test } from "vitest";
import { MAX_IDENTIFIER_LENGTH } from "../../src/input/identifiers.ts";
import { checkMade, MAX_MESSAGE_BYTES, MAX_SUBMISSION_BYTES, parseStoredMessages } from "../../src/input/messages.ts";
import { MAX_OBJECT_BYTES } from "../../src/input/json-object.ts";
import { checkSubmission } from "../../src/input/submission.ts";
import { expectInputError } from "../support/input-error.ts";

const message = (over: object = {}): UIMessage => ({
  id: "m1",
  role: "user",
  parts: [{ type: "text", text: "Hi" }],
  ...over,
});
/** As a caller without types would. */
const check = (messages: unknown, options?: unknown) => checkSubmission(messages as UIMessage[], options as never);
const withText = (text: string) => message({ parts: [{ type: "text", text }] });
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe("a submission that is in order", () => {
  test("gives the JSON that is stored, and the ids", () => {
    const messages = [message(), message({ id: "m2", role: "system" })];
    expect(check(messages, { submissionId: "s1", idempotencyKey: "k", metadata: { a: 1 } })).toEqual({
      submissionId: "s1",
      idempotencyKey: "k",
      channel: undefined,
      messageIds: ["m1", "m2"],
      messages: JSON.stringify(messages),
      metadata: '{"a":1}',
    });
  });

  test("needs no options: none at all and null are the same", () => {
    for (const options of [undefined, null, {}]) {
      expect(check([message()], options)).toMatchObject({ submissionId: undefined, metadata: undefined });
    }
  });

  test("S-4: the channel is stamped on user messages, beside their own metadata, and the caller's are left alone", () => {
    const messages = [message({ metadata: { a: 1 } }), message({ id: "m2", role: "assistant" })];
    const before = structuredClone(messages);
    const stored = JSON.parse(check(messages, { channel: "web" }).messages) as UIMessage[];
    expect(stored.map(({ metadata }) => metadata)).toEqual([{ a: 1, channel: "web" }, undefined]);
    expect(messages).toEqual(before);
  });

  test("keeps what it does not know of a message", () => {
    const parts = [{ type: "data-weather", data: { temp: 3 }, extra: true }];
    expect(JSON.parse(check([message({ parts, future: 1 })]).messages)).toEqual([message({ parts, future: 1 })]);
  });

  test("what was accepted can be read again", () => {
    const messages = [withText("half a pair \ud83d, a null \0, a line\n")];
    expect(parseStoredMessages(check(messages).messages)).toEqual({ messages });
  });
});

describe("ids of messages", () => {
  test("each names one message: the second one under an id is refused, or it would be lost", () => {
    const messages = [message(), message({ id: "m2" }), withText("other")];
    expectInputError(() => check(messages), "duplicate-id", "messages[2].id");
  });

  test("are as long as other identifiers at the most, and found again as they are", () => {
    const longest = "i".repeat(MAX_IDENTIFIER_LENGTH);
    expect(check([message({ id: longest })]).messageIds).toEqual([longest]);
    expectInputError(() => check([message({ id: `${longest}i` })]), "too-long", "messages[0].id");
    expectInputError(() => check([message(), message({ id: "half \ud83d" })]), "not-unicode", "messages[1].id");
  });

  test("fit together into one row of the log", () => {
    const messages = Array.from({ length: 3_000 }, (_, index) => message({ id: `${index}`.padEnd(500, "-") }));
    expectInputError(() => check(messages), "too-large", "messages");
  });

  test("of a function's messages too, apart from those that the conversation has already", () => {
    const twice = [message(), message()];
    expect(checkMade(twice, new Set(["m1"]))).toEqual(twice);
    expectInputError(() => checkMade(twice, new Set()), "duplicate-id", "messages[1].id");
    expectInputError(() => checkMade([message({ id: "i".repeat(513) })], new Set()), "too-long", "messages[0].id");
  });
});

describe("messages", () => {
  test("S-2: an empty list is refused with the text of the target", () => {
    expectInputError(() => check([]), "empty", "messages");
    expect(() => check([])).toThrow("submitMessages requires at least one message");
  });

  test.each([undefined, null, "Hi", 1, {}, () => []])("S-1: %o is no list", (messages) => {
    expectInputError(() => check(messages), "not-an-array", "messages");
    expectInputError(() => check(messages, { channel: "web" }), "not-an-array", "messages");
  });

  test.each([
    [null, "messages[1]"],
    [undefined, "messages[1]"],
    ["Hi", "messages[1]"],
    [{ role: "user", parts: [] }, "messages[1].id"],
    [message({ id: " " }), "messages[1].id"],
    [message({ id: 5 }), "messages[1].id"],
    [message({ parts: undefined }), "messages[1].parts"],
    [message({ parts: "Hi" }), "messages[1].parts"],
    [message({ parts: [{ type: "text", text: "Hi" }, "Hi"] }), "messages[1].parts[1]"],
    [message({ parts: [{ text: "Hi" }] }), "messages[1].parts[0].type"],
  ])("%o is no message", (bad, field) => {
    expectInputError(() => check([message(), bad]), "invalid-message", field);
    expectInputError(() => check([message(), bad], { channel: "web" }), "invalid-message", field);
  });

  test("a hole in the list is no message", () => {
    const sparse: UIMessage[] = [];
    sparse[1] = message();
    expectInputError(() => check(sparse), "invalid-message", "messages[0]");
  });

  test.each(["tool", "", undefined, 1])("role %o is refused", (role) => {
    expectInputError(() => check([message({ role })]), "invalid-role", "messages[0].role");
  });

  test.each([
    ["a bigint", () => ({ data: 1n })],
    [
      "itself",
      () => {
        const data: Record<string, unknown> = {};
        data["self"] = data;
        return { data };
      },
    ],
    ["a toJSON that gives nothing", () => ({ toJSON: () => undefined })],
    ["a toJSON that gives something else", () => ({ toJSON: () => "Hi" })],
  ])("a message with %s in it cannot be stored", (_, extra) => {
    expectInputError(() => check([message(), message(extra())]), "not-serializable", "messages[1]");
  });

  test("FR-42: a message above the limit is refused, one at the limit is not", () => {
    const room = MAX_MESSAGE_BYTES - sizeOf(withText(""));
    expect(check([withText("a".repeat(room))]).messageIds).toEqual(["m1"]);
    expectInputError(() => check([message(), withText("a".repeat(room + 1))]), "too-large", "messages[1]");
  });

  test("FR-42: UTF-8 bytes count, not characters", () => {
    expectInputError(() => check([withText("字".repeat(800_000))]), "too-large", "messages[0]");
    expect(check([withText("字".repeat(590_000))]).messageIds).toEqual(["m1"]);
  });

  test("FR-42: messages that are too large together are refused", () => {
    const one = withText("a".repeat(MAX_MESSAGE_BYTES - 1000));
    const many = (length: number) => Array.from({ length }, (_, index) => ({ ...one, id: `m${index}` }));
    const fitting = Math.floor(MAX_SUBMISSION_BYTES / sizeOf(one));
    expect(check(many(fitting)).messageIds).toHaveLength(fitting);
    expectInputError(() => check(many(fitting + 1)), "too-large", "messages");
  });
});

describe.each(["submissionId", "idempotencyKey", "channel"])("%s", (field) => {
  test.each([
    ["", "blank"],
    [" \t\n", "blank"],
    [5, "not-a-string"],
    [null, "not-a-string"],
    [{}, "not-a-string"],
    ["x".repeat(MAX_IDENTIFIER_LENGTH + 1), "too-long"],
    ["x".repeat(10_240), "too-long"],
    ["half \ud83d", "not-unicode"],
  ])("FR-16, S-15: %o is refused as %s", (value, code) => {
    expectInputError(() => check([message()], { [field]: value }), code, field);
  });

  test.each(["x", " inner space ", "👍", "'; DROP TABLE", "x".repeat(MAX_IDENTIFIER_LENGTH)])(
    "%o is taken as it is",
    (value) => {
      expect(check([message()], { [field]: value })).toMatchObject({ [field]: value });
    },
  );
});

describe("S-5: metadata", () => {
  test("is stored as JSON; undefined members vanish", () => {
    expect(check([message()], { metadata: { a: undefined, b: null, c: [1] } }).metadata).toBe('{"b":null,"c":[1]}');
    expect(check([message()], { metadata: {} }).metadata).toBe("{}");
  });

  test.each([null, "text", 1, true, [1], new Date(0)])("%o is no plain object", (metadata) => {
    expectInputError(() => check([message()], { metadata }), "not-an-object", "metadata");
  });

  test("that becomes nothing is no plain object", () => {
    expectInputError(() => check([message()], { metadata: { toJSON: () => undefined } }), "not-an-object", "metadata");
  });

  test("that has no JSON is refused", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    expectInputError(() => check([message()], { metadata: { n: 1n } }), "not-serializable", "metadata");
    expectInputError(() => check([message()], { metadata: circular }), "not-serializable", "metadata");
  });

  test("above its limit is refused, at the limit it is not", () => {
    const room = MAX_OBJECT_BYTES - sizeOf({ a: "" });
    expect(check([message()], { metadata: { a: "x".repeat(room) } }).metadata).toHaveLength(MAX_OBJECT_BYTES);
    expectInputError(() => check([message()], { metadata: { a: "x".repeat(room + 1) } }), "too-large", "metadata");
    expectInputError(() => check([message()], { metadata: { a: "字".repeat(100_000) } }), "too-large", "metadata");
  });

  test("keys that look like a workflow's are data like any other", () => {
    const metadata = { workflow: { workflowId: "w1" }, workflowPrompt: "x" };
    expect(check([message()], { metadata }).metadata).toBe(JSON.stringify(metadata));
  });
});

describe("stored messages that were damaged", () => {
  test.each(["", "{", "null", "{}", '[{"id":"m1"}]', '[{"id":"m1","role":"user","parts":[{}]}]'])(
    "%o are an error text",
    (text) => {
      expect(parseStoredMessages(text)).toEqual({
        error: expect.stringMatching(/^Stored submission messages are invalid: ./) as unknown,
      });
    },
  );
});
