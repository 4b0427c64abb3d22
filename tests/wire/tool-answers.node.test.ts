import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ClientToolOutcome } from "../../src/wire/adapter.ts";
import { decideAnswer } from "../../src/wire/tool-answers.ts";
import type { ToolApproval, ToolResult } from "../../src/wire/tool-frames.ts";
import { assistant, call, conversations, isClientTool, STATES, text } from "./support/conversation.ts";

const result = (
  toolCallId = "c1",
  outcome: ClientToolOutcome = { state: "output-available", output: 5 },
  toolName = "pick",
): ToolResult => ({
  kind: "tool-result",
  toolCallId,
  toolName,
  result: outcome,
  autoContinue: true,
  clientTools: undefined,
});

const approval = (approved = true, toolCallId = "c1"): ToolApproval => ({
  kind: "tool-approval",
  toolCallId,
  approved,
  autoContinue: true,
});

const server = { type: "tool-search" };
const approved = { approval: { id: "a1", approved: true } };

describe("a result", () => {
  const output = { state: "output-available", output: 5, preliminary: false };

  test.each([
    ["a call that waits for it", call("c1", "input-available")],
    ["one in the other shape", call("c1", "input-available", { type: "dynamic-tool", toolName: "pick" })],
    ["one that was approved first", call("c1", "approval-responded", approved)],
  ])("goes into %s", (_, waiting) => {
    const message = assistant("m1", text("before"), waiting, text("after"));
    const part = { ...waiting, ...output };
    expect(decideAnswer([message], result(), isClientTool)).toEqual({
      kind: "apply",
      part,
      message: { ...message, parts: [text("before"), part, text("after")] },
    });
  });

  test("can be an error", () => {
    const decision = decideAnswer(
      [assistant("m1", call("c1", "input-available"))],
      result("c1", { state: "output-error", errorText: "no camera" }),
      isClientTool,
    );
    expect(decision).toMatchObject({ kind: "apply", part: { state: "output-error", errorText: "no camera" } });
  });

  test.each([
    ["needs-approval", call("c1", "approval-requested", { approval: { id: "a1" } })],
    ["already-answered", call("c1", "approval-responded", { approval: { id: "a1", approved: false } })],
    ["already-answered", call("c1", "output-available", { output: 1 })],
    ["already-answered", call("c1", "output-error", { errorText: "no" })],
    ["already-answered", call("c1", "output-denied")],
    ["not-waiting", call("c1", "input-streaming")],
    ["other-tool", call("c1", "input-available", server)],
    ["other-tool", call("c1", "input-available", { type: "dynamic-tool", toolName: "search" })],
    ["not-client-tool", call("c1", "input-available", { providerExecuted: true })],
  ])("W12: is refused as %s by %j, with the message as it is", (reason, part) => {
    const message = assistant("m1", part);
    const decision = decideAnswer([message], result(), isClientTool);
    expect(decision).toEqual({ kind: "refuse", reason, message });
    expect((decision as { message: unknown }).message).toBe(message);
  });

  test.each(STATES)("W12: is never taken for a tool of the server's own that is %s", (state) => {
    const message = assistant("m1", call("c1", state, server));
    const forged = result("c1", { state: "output-available", output: 5 }, "search");
    expect(decideAnswer([message], forged, isClientTool)).toEqual({
      kind: "refuse",
      reason: "not-client-tool",
      message,
    });
  });

  test("C6: of a call that nobody made is refused", () => {
    const refusal = { kind: "refuse", reason: "unknown-call" };
    expect(decideAnswer([], result(), isClientTool)).toEqual(refusal);
    const forged = { ...assistant("m1", call("c1", "input-available")), role: "user" as const };
    expect(decideAnswer([forged, assistant("m2", text("hello"))], result(), isClientTool)).toEqual(refusal);
  });

  test("C8: is for the newest call with that id, of two messages and of two steps", () => {
    const old = assistant("m1", call("c1", "input-available"));
    const ended = assistant("m2", call("c1", "output-available"));
    expect(decideAnswer([old, ended], result(), isClientTool)).toMatchObject({ kind: "refuse", message: { id: "m2" } });
    const steps = assistant("m3", call("c1", "output-available"), call("c1", "input-available"));
    expect(decideAnswer([old, ended, steps], result(), isClientTool)).toMatchObject({
      kind: "apply",
      message: { id: "m3", parts: [call("c1", "output-available"), output] },
    });
  });
});

describe("a decision", () => {
  const asked = call("c1", "approval-requested", { ...server, approval: { id: "a1", descriptor: { action: "pay" } } });

  test("C13: is for any tool that asked", () => {
    const message = assistant("m1", asked);
    expect(decideAnswer([message], approval(), isClientTool)).toMatchObject({
      kind: "apply",
      part: { state: "approval-responded", approval: { id: "a1", approved: true, descriptor: { action: "pay" } } },
    });
    expect(decideAnswer([message], approval(false), isClientTool)).toMatchObject({
      kind: "apply",
      part: { state: "output-denied", approval: { id: "a1", approved: false } },
    });
  });

  test.each([
    ["not-waiting", "input-streaming"],
    ["not-waiting", "input-available"],
    ["already-answered", "approval-responded"],
    ["already-answered", "output-available"],
    ["already-answered", "output-error"],
    ["already-answered", "output-denied"],
  ])("is refused as %s when the call is %s", (reason, state) => {
    const message = assistant("m1", call("c1", state));
    expect(decideAnswer([message], approval(), isClientTool)).toEqual({ kind: "refuse", reason, message });
  });

  test("on a tool of the client's comes before its result", () => {
    const asks = assistant("m1", call("c1", "approval-requested", { approval: { id: "a1" } }));
    const first = decideAnswer([asks], approval(), isClientTool);
    if (first.kind !== "apply") throw new Error(first.reason);
    expect(decideAnswer([first.message], result(), isClientTool)).toMatchObject({
      kind: "apply",
      part: { state: "output-available", output: 5, approval: { id: "a1", approved: true } },
    });
  });
});

const answers = fc.oneof(
  fc
    .tuple(fc.constantFrom("c1", "c2", "c4"), fc.constantFrom("pick", "search", ""))
    .map(([id, name]) => result(id, { state: "output-available", output: 5 }, name)),
  fc.tuple(fc.boolean(), fc.constantFrom("c1", "c2", "c4")).map(([approved, id]) => approval(approved, id)),
);

test("an answer changes one part of one message and nothing else, and is taken once", () => {
  fc.assert(
    fc.property(conversations, answers, (messages, answer) => {
      const before = structuredClone(messages);
      const decision = decideAnswer(messages, answer, isClientTool);
      expect(messages).toEqual(before);

      const original = messages.find(({ id }) => id === decision.message?.id);
      if (decision.kind === "refuse") return decision.message === original;
      const changed = decision.message.parts.filter((part, index) => part !== original?.parts[index]);
      expect(changed).toEqual([decision.part]);
      expect(decision.message).toEqual({ ...original, parts: decision.message.parts });

      const after = messages.map((message) => (message === original ? decision.message : message));
      return decideAnswer(after, answer, isClientTool).kind === "refuse";
    }),
    { numRuns: 1000 },
  );
});
