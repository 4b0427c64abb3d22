import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { eventType, fingerprint, idempotencyKey } from "../../src/workflows/prompt-keys.ts";

const H = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 22);
const place = { workflowName: "TRIAGE", workflowId: "w1", stepName: "sum", key: undefined };

test("W-3: the idempotency key names workflow, instance and step; a key of its own is hashed, also an empty one", () => {
  expect(idempotencyKey(place)).toBe("think-workflow:TRIAGE:w1:sum");
  expect(idempotencyKey({ ...place, key: "é" })).toBe(`think-workflow:TRIAGE:w1:sum:${H("é")}`);
  expect(idempotencyKey({ ...place, key: "" })).toBe(`think-workflow:TRIAGE:w1:sum:${H("")}`);
});

test("W-2 W-4: the event type is a hash of the same place; no key and an empty key share it", () => {
  expect(eventType(place)).toBe(`think-prompt-${H("TRIAGE:w1:sum:")}`);
  expect(eventType({ ...place, key: "" })).toBe(eventType(place));
  expect(eventType({ ...place, key: "a" })).toBe(`think-prompt-${H("TRIAGE:w1:sum:a")}`);
});

test("W-5: the fingerprint tells prompts and schemas apart", () => {
  expect(fingerprint("a", { type: "object" })).toHaveLength(22);
  expect(fingerprint("a", { type: "object" })).toBe(fingerprint("a", { type: "object" }));
  expect(new Set([fingerprint("a", {}), fingerprint("b", {}), fingerprint("a", { type: "object" })]).size).toBe(3);
});
