import { expect, test } from "vitest";
import { FRAMES, type MessagePart, RESUME_NONE, withApproval, withOutcome } from "../../src/wire/adapter.ts";

/** What is relied on of `agents/chat`: clients in browsers speak these words, whatever version the server has. */
test("the words of the protocol are these", () => {
  expect(FRAMES).toEqual({
    USE_CHAT_REQUEST: "cf_agent_use_chat_request",
    USE_CHAT_RESPONSE: "cf_agent_use_chat_response",
    CHAT_MESSAGES: "cf_agent_chat_messages",
    CHAT_CLEAR: "cf_agent_chat_clear",
    CHAT_REQUEST_CANCEL: "cf_agent_chat_request_cancel",
    STREAM_RESUME_REQUEST: "cf_agent_stream_resume_request",
    STREAM_RESUMING: "cf_agent_stream_resuming",
    STREAM_RESUME_ACK: "cf_agent_stream_resume_ack",
    STREAM_RESUME_NONE: "cf_agent_stream_resume_none",
    STREAM_PENDING: "cf_agent_stream_pending",
    TOOL_RESULT: "cf_agent_tool_result",
    TOOL_APPROVAL: "cf_agent_tool_approval",
    MESSAGE_UPDATED: "cf_agent_message_updated",
    CHAT_RECOVERING: "cf_agent_chat_recovering",
  });
  expect(RESUME_NONE).toEqual({ IDLE: "idle", CONTINUATION_OWNED: "continuation-owned" });
});

const waiting = { type: "tool-pick", toolCallId: "c1", state: "input-available", input: { a: 1 } } as const;

test("an output settles the part and ends what was preliminary", () => {
  const part = { ...waiting, preliminary: true } as MessagePart;
  expect(withOutcome(part, "c1", { state: "output-available", output: 5 })).toEqual({
    ...waiting,
    state: "output-available",
    output: 5,
    preliminary: false,
  });
  expect(part).toEqual({ ...waiting, preliminary: true });
});

test("an error settles the part with its text, or with the one that a denial has", () => {
  const failed = (errorText: string) => ({ ...waiting, state: "output-error", errorText });
  expect(withOutcome(waiting, "c1", { state: "output-error", errorText: "no" })).toEqual(failed("no"));
  expect(withOutcome(waiting, "c1", { state: "output-error" })).toEqual(failed("Tool execution denied by user"));
});

test("a decision keeps what the approval says already", () => {
  const approval = { id: "a1", descriptor: { action: "pay" } };
  const asked = { ...waiting, state: "approval-requested", approval } as MessagePart;
  expect(withApproval(asked, "c1", true)).toEqual({
    ...waiting,
    state: "approval-responded",
    approval: { ...approval, approved: true },
  });
  expect(withApproval(asked, "c1", false)).toEqual({
    ...waiting,
    state: "output-denied",
    approval: { ...approval, approved: false },
  });
});

test("an approval without an id has that of the call", () => {
  const asked = { ...waiting, state: "approval-requested" } as unknown as MessagePart;
  expect(withApproval(asked, "c1", true)).toMatchObject({ approval: { id: "c1", approved: true } });
});
