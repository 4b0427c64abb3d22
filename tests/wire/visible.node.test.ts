import type { UIMessage } from "ai";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { visibleMessage, visibleTranscript } from "../../src/wire/visible.ts";
import { assistant, call, conversations, text } from "./support/conversation.ts";

const user = (id: string): UIMessage => ({ id, role: "user", parts: [text(id)] });

describe("what clients see", () => {
  test("is the answer and its continuations as one message, with the first one's id", () => {
    const [first, second, third] = [assistant("a1", text("one")), assistant("a2", text("two")), assistant("a3")];
    expect(visibleTranscript([user("u1"), first, second, third, user("u2"), assistant("a4")])).toEqual([
      user("u1"),
      assistant("a1", text("one"), text("two")),
      user("u2"),
      assistant("a4"),
    ]);
  });

  test("are the very messages where nothing is merged", () => {
    const messages = [user("u1"), user("u2"), assistant("a1"), user("u3")];
    const seen = visibleTranscript(messages);
    expect(seen).toHaveLength(messages.length);
    seen.forEach((message, index) => expect(message).toBe(messages[index]));
  });

  test("is the newest metadata, over what was there before", () => {
    const one = { ...assistant("a1"), metadata: { model: "a", tokens: 1 } };
    const two = { ...assistant("a2"), metadata: { tokens: 2 } };
    expect(visibleTranscript([one, assistant("a0"), two])[0]?.metadata).toEqual({ model: "a", tokens: 2 });
    expect(visibleTranscript([assistant("a0"), two])[0]?.metadata).toEqual({ tokens: 2 });
    expect(visibleTranscript([one, { ...two, metadata: "text" }])[0]?.metadata).toBe("text");
    expect(visibleTranscript([assistant("a0"), assistant("a9")])[0]).not.toHaveProperty("metadata");
  });

  test("of one stored message is the message that it is part of", () => {
    const messages = [user("u1"), assistant("a1", call("c1", "output-available")), assistant("a2", text("two"))];
    const whole = assistant("a1", call("c1", "output-available"), text("two"));
    expect(visibleMessage(messages, "a1")).toEqual(whole);
    expect(visibleMessage(messages, "a2")).toEqual(whole);
    expect(visibleMessage(messages, "u1")).toBe(messages[0]);
    expect(visibleMessage(messages, "u9")).toBeUndefined();
  });
});

test("no part is lost, none changes place, and what is seen cannot be merged further", () => {
  fc.assert(
    fc.property(conversations, (messages) => {
      const before = structuredClone(messages);
      const seen = visibleTranscript(messages);
      expect(messages).toEqual(before);
      const parts = messages.flatMap((message) => message.parts);
      const seenParts = seen.flatMap((message) => message.parts);
      expect(seenParts).toHaveLength(parts.length);
      expect(seenParts.every((part, index) => part === parts[index])).toBe(true);
      expect(seen.some(({ role }, index) => role === "assistant" && seen[index + 1]?.role === "assistant")).toBe(false);
      expect(visibleTranscript(seen)).toEqual(seen);
      for (const { id } of messages) expect(seen).toContainEqual(visibleMessage(messages, id));
    }),
  );
});
