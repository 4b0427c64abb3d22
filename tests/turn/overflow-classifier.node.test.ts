import { expect, test } from "vitest";
import { defaultContextOverflowClassifier } from "../../src/turn/overflow-classifier.ts";

test.each([
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  "context_length_exceeded",
  "Context length exceeded",
  "The request exceeds the context window of this model",
  "prompt is too long: 210000 tokens > 200000 maximum",
  "Input is too long for requested model.",
  "Too many tokens in the request",
  "too many input tokens",
  "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).",
  "Please reduce the length of the messages or completion.",
  "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000",
])("T203, L55: %j is an overflow, as an error, as text and inside of an object", (words) => {
  expect(defaultContextOverflowClassifier(new Error(words))).toBe("context_overflow");
  expect(defaultContextOverflowClassifier(words)).toBe("context_overflow");
  expect(defaultContextOverflowClassifier({ error: { message: words } })).toBe("context_overflow");
});

const cyclic: Record<string, unknown> = { message: "prompt is too long" };
cyclic["self"] = cyclic;

test.each([
  new Error("Rate limit exceeded"),
  new Error("You exceeded your current quota"),
  new Error("too many requests"),
  new Error("Connection took too long"),
  new Error("Network connection lost."),
  new Error(""),
  "429",
  undefined,
  null,
  42,
  () => "prompt is too long",
  cyclic,
])("T204, L55: %s is none", (error) => {
  expect(defaultContextOverflowClassifier(error)).toBeUndefined();
});
