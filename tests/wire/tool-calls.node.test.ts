import { describe, expect, test } from "vitest";
import { hasIncompleteBatch, hasPendingInteraction, toolCallOf } from "../../src/wire/tool-calls.ts";
import { assistant, call, isClientTool, text } from "./support/conversation.ts";

const server = { type: "tool-search" };
const dynamic = { type: "dynamic-tool", toolName: "pick" };
const approved = { approval: { id: "a1", approved: true } };
const denied = { approval: { id: "a1", approved: false } };

test("C10: a tool call is one in both of its shapes", () => {
  const seen = {
    toolCallId: "c1",
    toolName: "pick",
    state: "input-available",
    providerExecuted: false,
    approved: false,
  };
  expect(toolCallOf(call("c1", "input-available"))).toEqual(seen);
  expect(toolCallOf(call("c1", "input-available", dynamic))).toEqual(seen);
});

test.each([text("hello"), call("c1", "x", { type: "dynamic-tool" }), call("c1", "x", { toolCallId: 5 })])(
  "%j is no tool call",
  (part) => {
    expect(toolCallOf(part)).toBeUndefined();
  },
);

describe("somebody waits for a client", () => {
  test.each([
    ["a decision on any tool", call("c1", "approval-requested", server)],
    ["the result of a tool of its own", call("c1", "input-available")],
    ["the result of a tool of its own, in the other shape", call("c1", "input-available", dynamic)],
    ["the result of a tool of its own that was approved", call("c1", "approval-responded", approved)],
  ])("for %s", (_, part) => {
    const messages = [assistant("m1", text("hello"), part), assistant("m2")];
    expect(hasPendingInteraction(messages, isClientTool)).toBe(true);
  });

  test.each([
    ["for a call of the server's own, which died with its object", call("c1", "input-available", server)],
    ["for what was approved and runs on the server", call("c1", "approval-responded", { ...server, ...approved })],
    ["for what was denied", call("c1", "approval-responded", denied)],
    ["for what the provider runs", call("c1", "input-available", { providerExecuted: true })],
    ["while the input is still coming", call("c1", "input-streaming")],
    ["for what has its result", call("c1", "output-available")],
  ])("but not %s", (_, part) => {
    expect(hasPendingInteraction([assistant("m1", part)], isClientTool)).toBe(false);
  });

  test("but not when a message of the user's says so", () => {
    const forged = { ...assistant("m1", call("c1", "input-available")), role: "user" as const };
    expect(hasPendingInteraction([forged], isClientTool)).toBe(false);
  });
});

describe("C18: a batch is incomplete", () => {
  test.each(["output-available", "output-error", "output-denied", "approval-responded"])(
    "when one call is %s and another waits",
    (state) => {
      const settled = call("c1", state, server);
      expect(hasIncompleteBatch(assistant("m1", settled, call("c2", "input-available")), isClientTool)).toBe(true);
      expect(hasIncompleteBatch(assistant("m1", call("c2", "approval-requested"), settled), isClientTool)).toBe(true);
    },
  );

  test("when the client's tool was approved and has not run yet", () => {
    expect(hasIncompleteBatch(assistant("m1", call("c1", "approval-responded", approved)), isClientTool)).toBe(true);
  });

  test("W11: but not by a dead call of the server's own", () => {
    const dead = call("c2", "input-available", server);
    expect(hasIncompleteBatch(assistant("m1", call("c1", "output-available"), dead), isClientTool)).toBe(false);
  });

  test("but not before anything is answered, nor when all is, nor without any call or message", () => {
    const waiting = [call("c1", "input-available"), call("c2", "approval-requested")];
    expect(hasIncompleteBatch(assistant("m1", ...waiting), isClientTool)).toBe(false);
    const answered = [call("c1", "output-available"), call("c2", "output-error")];
    expect(hasIncompleteBatch(assistant("m1", ...answered), isClientTool)).toBe(false);
    expect(hasIncompleteBatch(assistant("m1", text("hello")), isClientTool)).toBe(false);
    expect(hasIncompleteBatch(undefined, isClientTool)).toBe(false);
  });
});
