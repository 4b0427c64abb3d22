import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  chunkFrame,
  clearedFrame,
  errorChunkFrame,
  messageUpdatedFrame,
  pendingFrame,
  recoveringFrame,
  replayCompleteFrame,
  resumeNoneFrame,
  resumingFrame,
  terminalFrame,
  transcriptFrame,
} from "../../src/wire/outgoing.ts";

/** Compares exactly: a member that should be absent may not even be undefined. */
const expectFrame = (text: string, frame: object) => {
  expect(JSON.parse(text)).toStrictEqual(frame);
};

const response = { type: "cf_agent_use_chat_response", id: "r1" };

describe("P2: a chunk of an answer", () => {
  const chunk = '{"type":"text-delta","id":"t","delta":"a \\"quote\\" and €"}';

  test("is JSON within JSON, and no more than that", () => {
    expectFrame(chunkFrame({ id: "r1", chunk }), { ...response, body: chunk, done: false });
  });

  test("P5, P6: has its number and its marks", () => {
    expectFrame(chunkFrame({ id: "r1", chunk, seq: 0, continuation: true, replay: true }), {
      ...response,
      body: chunk,
      done: false,
      seq: 0,
      continuation: true,
      replay: true,
    });
  });

  test("has no marks that are not set", () => {
    const frame = chunkFrame({ id: "r1", chunk, seq: undefined, continuation: false, replay: undefined });
    expectFrame(frame, { ...response, body: chunk, done: false });
  });

  test("comes through whatever is in it", () => {
    const unit = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(unit, unit, fc.nat(), (id, chunk, seq) => {
        expectFrame(chunkFrame({ id, chunk, seq }), { ...response, id, body: chunk, done: false, seq });
      }),
    );
  });
});

test("P29: an error within the stream is no end", () => {
  const frame = { ...response, body: "overloaded", done: false, error: true };
  expectFrame(errorChunkFrame({ id: "r1", error: "overloaded" }), frame);
  expectFrame(errorChunkFrame({ id: "r1", error: "overloaded", continuation: true, messageIds: ["m1"] }), {
    ...frame,
    continuation: true,
    messageIds: ["m1"],
  });
});

describe("the end of a request", () => {
  test("P2: is an empty body", () => {
    expectFrame(terminalFrame({ id: "r1" }), { ...response, body: "", done: true });
  });

  test("P3, P4: says how it came and of which messages", () => {
    expectFrame(terminalFrame({ id: "r1", outcome: "skipped", messageIds: ["m1"], continuation: true, replay: true }), {
      ...response,
      body: "",
      done: true,
      continuation: true,
      replay: true,
      messageIds: ["m1"],
      outcome: "skipped",
    });
  });

  test("P26, P29: is an error with its text, or the outcome alone after one within the stream", () => {
    const end = { ...response, done: true };
    expectFrame(terminalFrame({ id: "r1", error: "broken" }), { ...end, body: "broken", error: true });
    expectFrame(terminalFrame({ id: "r1", error: "" }), { ...end, body: "", error: true });
    expectFrame(terminalFrame({ id: "r1", outcome: "error" }), { ...end, body: "", outcome: "error" });
  });

  test("P25: can have something to say that is no error", () => {
    const notice = "No response was generated.";
    expectFrame(terminalFrame({ id: "r1", notice }), { ...response, body: notice, done: true });
  });
});

test("P52: after what is stored comes what is live", () => {
  const frame = { ...response, body: "", done: false, replay: true, replayComplete: true };
  expectFrame(replayCompleteFrame({ id: "r1" }), frame);
  expectFrame(replayCompleteFrame({ id: "r1", continuation: true }), { ...frame, continuation: true });
});

const message = { id: "m1", role: "user" as const, parts: [{ type: "text" as const, text: "hello" }] };

test("P14: a transcript says whether it is the one of the connect", () => {
  const frame = { type: "cf_agent_chat_messages", messages: [message] };
  expectFrame(transcriptFrame([message]), frame);
  expectFrame(transcriptFrame([message], { connect: false }), frame);
  expectFrame(transcriptFrame([message], { connect: true }), { ...frame, connect: true });
});

test("P49: the answers to a resume request echo its probe", () => {
  const resuming = { type: "cf_agent_stream_resuming", id: "r1" };
  expectFrame(resumingFrame("r1"), resuming);
  expectFrame(resumingFrame("r1", "p1"), { ...resuming, probeId: "p1" });
  const none = { type: "cf_agent_stream_resume_none" };
  expectFrame(resumeNoneFrame(), none);
  expectFrame(resumeNoneFrame("idle"), { ...none, reason: "idle" });
  expectFrame(resumeNoneFrame("continuation-owned", "p1"), { ...none, reason: "continuation-owned", probeId: "p1" });
  const pending = { type: "cf_agent_stream_pending" };
  expectFrame(pendingFrame(), pending);
  expectFrame(pendingFrame("r1", "p1"), { ...pending, id: "r1", probeId: "p1" });
});

test("the other frames", () => {
  expectFrame(clearedFrame(), { type: "cf_agent_chat_clear" });
  expectFrame(messageUpdatedFrame(message), { type: "cf_agent_message_updated", message });
  expectFrame(recoveringFrame(true), { type: "cf_agent_chat_recovering", recovering: true });
  expectFrame(recoveringFrame(false, "r1"), { type: "cf_agent_chat_recovering", recovering: false, id: "r1" });
});
