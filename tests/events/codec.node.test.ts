import { describe, expect, test } from "vitest";
import {
  catalogue,
  decode,
  encode,
  InvalidEventError,
  isKnown,
  isKnownType,
  type StoredEvent,
  type ThinkEvent,
} from "../../src/events/index.ts";
import { aborted, claimed, deleted, deliveryFailed, stepFinished, submitted, TOMBSTONE } from "../support/facts.ts";

const stored = (type: string, data: unknown, schemaVersion = 1): StoredEvent => ({
  position: 7,
  stream: "turn/t1",
  version: 2,
  ordinal: 6,
  schemaVersion,
  type,
  at: 5,
  actor: "rpc",
  correlationId: "t1",
  causationId: "c1",
  data,
});

/** What a decider would propose if it had a fault. */
const faulty = (type: string, data: unknown) => ({ type, data }) as ThinkEvent;

describe("encode", () => {
  test("gives the facts as the text that is stored, with the version of their schema", () => {
    expect(encode(claimed())).toEqual({ data: '{"attempt":1,"epoch":1}', schemaVersion: 1 });
  });

  test("keeps out what the schema does not know: content cannot slip into the log", () => {
    const event = faulty("TurnClaimed", { attempt: 1, epoch: 1, secret: "s" });
    expect(encode(event).data).toBe('{"attempt":1,"epoch":1}');
  });

  test.each([
    ["TurnClaimed", { epoch: 1 }, "attempt"],
    ["TurnClaimed", { attempt: 0, epoch: 1 }, "attempt"],
    ["TurnClaimed", { attempt: 1.5, epoch: 1 }, "attempt"],
    ["TurnSubmitted", { ...submitted().data, turnId: "" }, "turnId"],
    ["TurnSubmitted", { ...submitted().data, trigger: "dream" }, "trigger"],
    ["TurnSubmitted", { ...submitted().data, generation: -1 }, "generation"],
    ["TurnSubmitted", { ...submitted().data, messageIds: ["m1", 2] }, "messageIds.1"],
    ["TurnSubmitted", { ...submitted().data, origin: { kind: "webhook" } }, "origin.kind"],
    ["StepFinished", { ...stepFinished().data, usage: { inputTokens: "10" } }, "usage.inputTokens"],
    [
      "StepFinished",
      { ...stepFinished().data, toolCalls: [{ toolCallId: "c", toolName: "t", outcome: "maybe" }] },
      "toolCalls.0.outcome",
    ],
    ["TurnFailed", { error: "" }, "error"],
    ["TurnSkipped", {}, "error"],
    ["TurnAborted", { error: "stop" }, "messagesApplied"],
    ["TurnDeleted", { tombstone: { ...TOMBSTONE, status: "running" } }, "tombstone.status"],
    ["NotificationFailed", { ...deliveryFailed().data, retryAt: Number.NaN }, "retryAt"],
    ["LaneReset", { generation: 0, reason: "r" }, "generation"],
    ["MessageLinked", null, "data"],
  ])("%s %o is refused and names %s", (type, data, field) => {
    const attempt = () => encode(faulty(type, data));
    expect(attempt).toThrow(InvalidEventError);
    expect(attempt).toThrow(`Event ${type} does not fit its schema: ${field}: `);
    expect(attempt).toThrow(expect.objectContaining({ eventType: type }));
  });

  test("names every field that is wrong", () => {
    expect(() => encode(faulty("TurnClaimed", {}))).toThrow(/attempt: .*; epoch: /);
  });
});

describe("decode", () => {
  test("gives back what was encoded, with its envelope", () => {
    const events = [submitted({ idempotencyKey: "k" }), aborted({ error: "stop" }), deleted({ tombstone: TOMBSTONE })];
    for (const event of events) {
      const row = stored(event.type, JSON.parse(encode(event).data));
      expect(decode(row)).toEqual(row);
      expect(isKnown(decode(row))).toBe(true);
    }
  });

  test("a damaged event is an error that names its type, its position and the field", () => {
    expect(() => decode(stored("TurnClaimed", { attempt: "1", epoch: 1 }))).toThrow(InvalidEventError);
    expect(() => decode(stored("TurnClaimed", { attempt: "1", epoch: 1 }))).toThrow(
      /TurnClaimed .*at position 7: attempt: /,
    );
    expect(() => decode(stored("TurnClaimed", "text"))).toThrow(/at position 7: data: /);
  });

  test("FR-48: an unknown type is kept as it is, and marked", () => {
    const row = stored("turn.future", { anything: [1] }, 9);
    const event = decode(row);
    expect(event).toEqual({ ...row, unknown: true });
    expect(isKnown(event)).toBe(false);
  });

  test("FR-48: a newer version of a known type is kept as it is, also when it would fit the old schema", () => {
    const row = stored("TurnClaimed", { attempt: 1, epoch: 1, lease: 30 }, catalogue.TurnClaimed.version + 1);
    expect(decode(row)).toEqual({ ...row, unknown: true });
  });

  test.each(["toString", "constructor", "__proto__", "hasOwnProperty"])("%s is no type of event", (type) => {
    expect(isKnownType(type)).toBe(false);
    expect(isKnown(decode(stored(type, {})))).toBe(false);
  });
});
