import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { eventType, fingerprint, idempotencyKey, stepNames } from "../../src/workflows/prompt-keys.ts";

const H = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 22);
const place = { workflowName: "TRIAGE", workflowId: "w1", stepName: "sum", key: undefined };

test("W-3: the idempotency key names workflow, instance and step; a key of its own is hashed, also an empty one", () => {
  expect(idempotencyKey(place)).toBe("think-workflow:TRIAGE:w1:sum");
  expect(idempotencyKey({ ...place, key: "é" })).toBe(`think-workflow:TRIAGE:w1:sum:${H("é")}`);
  expect(idempotencyKey({ ...place, key: "" })).toBe(`think-workflow:TRIAGE:w1:sum:${H("")}`);
});

test("W-4: the event type is a hash of the same place, and of the idempotency key where there is a key", () => {
  expect(eventType(place)).toBe(`think-prompt-${H("TRIAGE:w1:sum:")}`);
  expect(eventType({ ...place, key: "a" })).toBe(`think-prompt-${H(idempotencyKey({ ...place, key: "a" }))}`);
});

test("no two prompts of a run share an event type, whatever colons their names and keys have", () => {
  const places = [
    place,
    { ...place, key: "" },
    { ...place, stepName: "a:b", key: "c" },
    { ...place, stepName: "a", key: "b:c" },
  ];
  expect(new Set(places.map(eventType)).size).toBe(places.length);
});

test("W-6 W-7: the steps are named after the prompt, and after its key where it has one", () => {
  expect(stepNames(place)).toEqual({ submit: "sum:submit", wait: "sum:wait" });
  expect(stepNames({ ...place, key: "a" })).toEqual({ submit: `sum:submit:${H("a")}`, wait: `sum:wait:${H("a")}` });
});

test("W-5: the fingerprint tells prompts and schemas apart", () => {
  expect(fingerprint("a", { type: "object" })).toHaveLength(22);
  expect(fingerprint("a", { type: "object" })).toBe(fingerprint("a", { type: "object" }));
  expect(new Set([fingerprint("a", {}), fingerprint("b", {}), fingerprint("a", { type: "object" })]).size).toBe(3);
});
