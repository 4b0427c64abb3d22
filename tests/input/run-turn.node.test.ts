import type { UIMessage } from "ai";
import { describe, expect, test } from "vitest";
import { checkRunTurn, toMessages } from "../../src/input/run-turn.ts";

/** As a caller without types would. */
const check = (options: unknown) => checkRunTurn(options as never);
const message: UIMessage = { id: "m1", role: "user", parts: [{ type: "text", text: "Hi" }] };
const callback = {};

describe("runTurn refuses, with the texts of the target", () => {
  test.each([undefined, null, "Hi", 5, [message], () => ({})])("T-1: %o", (options) => {
    expect(() => check(options)).toThrow(new TypeError("runTurn: options must be an object"));
  });

  test.each(["now", "", 1])("T-2: mode %o", (mode) => {
    const refused = new TypeError('runTurn: mode must be "wait", "submit", or "stream"');
    expect(() => check({ mode, input: "Hi" })).toThrow(refused);
  });

  test.each(["submit", "stream"])("T-3: a continuation with %s, before it looks for input or callback", (mode) => {
    const refused = new TypeError('runTurn: continuation is only supported with mode: "wait"');
    expect(() => check({ mode, continuation: true })).toThrow(refused);
  });

  test("T-4: stream without a callback, before it looks for input", () => {
    expect(() => check({ mode: "stream" })).toThrow(new TypeError('runTurn: mode "stream" requires callback'));
  });

  test("T-5: wait with input and continuation, or with neither", () => {
    const both = new TypeError("runTurn: supply either input or continuation: true, not both");
    const neither = new TypeError("runTurn: supply either input or continuation: true");
    expect(() => check({ input: "Hi", continuation: true })).toThrow(both);
    expect(() => check({})).toThrow(neither);
    expect(() => check({ continuation: false })).toThrow(neither);
  });

  test("T-6: submit or stream without input", () => {
    expect(() => check({ mode: "submit" })).toThrow(new TypeError('runTurn: mode "submit" requires input'));
    expect(() => check({ mode: "stream", callback })).toThrow(new TypeError('runTurn: mode "stream" requires input'));
  });

  test("T-7: submit with a function", () => {
    const refused = 'runTurn({ mode: "submit" }) does not support function input until _admitTurn (step 3)';
    expect(() => check({ mode: "submit", input: () => [] })).toThrow(new Error(refused));
  });
});

describe("runTurn takes", () => {
  test("T-2: input without a mode, to wait for", () => {
    expect(check({ input: "Hi" })).toMatchObject({ mode: "wait" });
    expect(check({ input: () => [] })).toMatchObject({ mode: "wait" });
    expect(check({ continuation: true })).toMatchObject({ mode: "wait" });
  });

  test("a stream with its callback", () => {
    expect(check({ mode: "stream", input: "Hi", callback })).toMatchObject({ mode: "stream" });
  });

  test("T-9: text, a message or messages, to submit", () => {
    expect(check({ mode: "submit", input: [message] })).toMatchObject({ mode: "submit", messages: [message] });
    expect(toMessages(message)).toEqual([message]);
    expect(toMessages("Hi")).toMatchObject([{ role: "user", parts: [{ type: "text", text: "Hi" }] }]);
    expect(toMessages("Hi")[0]?.id).not.toBe(toMessages("Hi")[0]?.id);
  });

  test("T-9: empty text as no message", () => {
    expect(toMessages("")).toEqual([]);
  });
});
