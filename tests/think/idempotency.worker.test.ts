import { expect, test } from "vitest";
import { drain, freshAgent, inside, restart } from "../support/agents.ts";
import { allEventTypes, eventTypes, modelCalled, transcript } from "../support/observe.ts";
import { heldReply } from "../support/scripts.ts";
import { modelCallsOf, setUp, userMessage } from "../support/test-agent.ts";

const CONFLICT = "submissionId and idempotencyKey refer to different submissions";

test("S-9: of two concurrent submits with one key exactly one is accepted", async () => {
  const { name, agent } = await freshAgent();
  const both = await Promise.all([
    agent.submitMessages([userMessage("Hi", "m1")], { idempotencyKey: "k" }),
    agent.submitMessages([userMessage("Hi", "m1")], { idempotencyKey: "k" }),
  ]);
  expect(both.filter(({ accepted }) => accepted)).toHaveLength(1);
  expect(both[0].submissionId).toBe(both[1].submissionId);

  await drain(agent);
  expect(await transcript(agent)).toEqual(["user: Hi", "assistant: Hello there"]);
  expect(modelCallsOf(name)).toBe(1);
});

test("S-10: a retry by id or by key answers with the first record as it is now, also when it has ended", async () => {
  const { agent } = await freshAgent();
  const message = userMessage("Hi", "m1");
  await agent.submitMessages([message], { submissionId: "s1", idempotencyKey: "k", metadata: { a: 1 } });
  await agent.waitForSubmission("s1");
  const before = await allEventTypes(agent);

  const again = { accepted: false, submissionId: "s1", status: "completed", metadata: { a: 1 } };
  expect(await agent.submitMessages([message], { submissionId: "s1", metadata: { b: 2 } })).toMatchObject(again);
  expect(await agent.submitMessages([message], { idempotencyKey: "k" })).toMatchObject(again);
  expect(await allEventTypes(agent)).toEqual(before);
});

test("S-11: a retry of a pending submission re-arms it, and it keeps its place in the queue", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("first")]);
  await modelCalled(name, 1);
  await agent.submitMessages([userMessage("A", "a")], { idempotencyKey: "a" });
  await agent.submitMessages([userMessage("B", "b")], { submissionId: "b" });

  const retried = await agent.submitMessages([userMessage("A", "a")], { idempotencyKey: "a" });
  expect(retried).toMatchObject({ accepted: false, status: "pending" });
  held.open();
  await agent.waitForSubmission("b");
  const asked = (await transcript(agent)).filter((line) => line.startsWith("user"));
  expect(asked).toEqual(["user: first", "user: A", "user: B"]);
});

test("S-12: an id and a key of different submissions are a conflict, in each of the three ways", async () => {
  const { agent } = await freshAgent();
  await agent.submitMessages([userMessage("A")], { submissionId: "a", idempotencyKey: "ka" });
  await agent.submitMessages([userMessage("B")], { submissionId: "b", idempotencyKey: "kb" });
  await drain(agent);
  const before = await allEventTypes(agent);

  const conflicting = {
    "id and key of different submissions": { submissionId: "a", idempotencyKey: "kb" },
    "a key that belongs to another id": { submissionId: "new", idempotencyKey: "ka" },
    "an id that has another key": { submissionId: "a", idempotencyKey: "unknown" },
  };
  for (const [what, options] of Object.entries(conflicting)) {
    const refused = inside(agent, (instance) => instance.submitMessages([userMessage("C")], options));
    await expect(refused, what).rejects.toThrow(CONFLICT);
  }
  expect(await allEventTypes(agent)).toEqual(before);
  expect(await agent.inspectSubmission("new")).toBeNull();
});

test("S-12: an id that a turn of another kind has is not accepted, and the error names it", async () => {
  const { agent } = await freshAgent();
  const { requestId: submissionId } = await agent.saveMessages([userMessage("Hi")]);
  const before = await allEventTypes(agent);
  for (const options of [{ submissionId }, { submissionId, idempotencyKey: "k" }]) {
    const refused = inside(agent, (instance) => instance.submitMessages([userMessage("Hi")], options));
    await expect(refused).rejects.toMatchObject({
      name: "SubmissionConflictError",
      code: "conflict",
      field: "submissionId",
      message: "submissionId is the id of a turn that was not submitted",
    });
  }
  expect(await allEventTypes(agent)).toEqual(before);
});

test("S-13: a key given with the id of a submission without one is bound to it", async () => {
  const { agent } = await freshAgent();
  const message = userMessage("A");
  await agent.submitMessages([message], { submissionId: "a" });
  const retried = await agent.submitMessages([message], { submissionId: "a", idempotencyKey: "k" });
  expect(retried).toMatchObject({ accepted: false, submissionId: "a", idempotencyKey: "k" });

  const byKey = await agent.submitMessages([message], { idempotencyKey: "k" });
  expect(byKey).toMatchObject({ accepted: false, submissionId: "a" });
  expect((await agent.inspectSubmission("a"))?.idempotencyKey).toBe("k");
  expect(await eventTypes(agent, "a")).toContain("KeyBound");
});

test("S-14: deleting a submission frees its id and its key", async () => {
  const { name, agent } = await freshAgent();
  const options = { submissionId: "a", idempotencyKey: "k" };
  await agent.submitMessages([userMessage("one")], options);
  await agent.waitForSubmission("a");
  expect(await agent.deleteSubmission("a")).toBe(true);

  expect(await agent.submitMessages([userMessage("two")], options)).toMatchObject({ accepted: true });
  expect(await agent.waitForSubmission("a")).toMatchObject({ status: "completed" });
  expect(modelCallsOf(name)).toBe(2);
});

test("S-15 FR-16: a blank, overlong or half id or key is an argument error that names the field", async () => {
  const { agent } = await freshAgent();
  const cases = [
    { value: "", code: "blank" },
    { value: " \t\n", code: "blank" },
    { value: "k".repeat(10_240), code: "too-long" },
    { value: "half \ud83d", code: "not-unicode" },
  ];
  await agent.getMessages();
  for (const field of ["submissionId", "idempotencyKey"]) {
    for (const { value, code } of cases) {
      const refused = inside(agent, (instance) => instance.submitMessages([userMessage("A")], { [field]: value }));
      await expect(refused).rejects.toMatchObject({ name: "ThinkInputError", code, field });
    }
  }
  expect(await agent.listSubmissions()).toEqual([]);
});

test("FR-13: the same key with another payload returns the first record and leaves one trace without content", async () => {
  const { name, agent } = await freshAgent();
  const first = await agent.submitMessages([userMessage("pay 10")], { idempotencyKey: "k" });
  const second = await agent.submitMessages([userMessage("pay 99")], { idempotencyKey: "k" });
  expect(second).toMatchObject({ accepted: false, payloadMismatch: true, submissionId: first.submissionId });
  const third = await agent.submitMessages([userMessage("pay 98")], { idempotencyKey: "k" });
  expect(third).toMatchObject({ accepted: false, payloadMismatch: true });

  await drain(agent);
  expect(await transcript(agent)).toEqual(["user: pay 10", "assistant: Hello there"]);
  expect(modelCallsOf(name)).toBe(1);
  const { events } = await agent.auditLog({ types: ["RetryMismatched"] });
  expect(events).toHaveLength(1);
  expect(JSON.stringify([second, events])).not.toMatch(/pay (10|99)/);
});

test('FR-13: with idempotency "strict" another payload is refused and nothing is stored', async () => {
  const { agent } = await freshAgent();
  await agent.submitMessages([userMessage("pay 10")], { submissionId: "s1", idempotencyKey: "k" });
  await agent.waitForSubmission("s1");
  const before = await allEventTypes(agent);
  const refused = inside(agent, (instance) => {
    instance.idempotency = "strict";
    return instance.submitMessages([userMessage("pay 99")], { idempotencyKey: "k" });
  });
  await expect(refused).rejects.toMatchObject({ name: "PayloadMismatchError", code: "payload-mismatch" });
  await expect(refused).rejects.not.toThrow("pay 10");
  expect(await allEventTypes(agent)).toEqual(before);
});

test('FR-13: with idempotency "strict" the same messages with their members in another order are a true retry', async () => {
  const { agent } = await freshAgent();
  const parts = [{ type: "text" as const, text: "pay 10" }];
  await agent.submitMessages([{ id: "m1", role: "user", parts }], { submissionId: "s1", idempotencyKey: "k" });
  const retried = await inside(agent, (instance) => {
    instance.idempotency = "strict";
    return instance.submitMessages([{ parts, role: "user", id: "m2" }], { idempotencyKey: "k" });
  });
  expect(retried).toMatchObject({ accepted: false, submissionId: "s1" });
  expect(retried).not.toHaveProperty("payloadMismatch");
});

test("FR-15: a deleted submission does not come back with a rebuild, and its key is free before and after", async () => {
  const { agent } = await freshAgent();
  const options = { submissionId: "a", idempotencyKey: "k" };
  await agent.submitMessages([userMessage("one")], options);
  await agent.waitForSubmission("a");
  await agent.deleteSubmission("a");
  expect(await agent.inspectSubmission("a")).toBeNull();

  const rebuilt = await agent.rebuildProjections();
  expect(rebuilt.map(({ differences }) => differences)).toEqual(rebuilt.map(() => 0));
  expect(await agent.inspectSubmission("a")).toBeNull();
  expect(await agent.listSubmissions()).toEqual([]);
  expect(await agent.submitMessages([userMessage("two")], { idempotencyKey: "k" })).toMatchObject({ accepted: true });
});

test("FR-15: with a retention the key of a deleted submission still answers, also after a rebuild and a restart", async () => {
  const { name, agent } = await freshAgent();
  const message = userMessage("one");
  await agent.submitMessages([message], { submissionId: "a", idempotencyKey: "k" });
  await agent.waitForSubmission("a");
  await inside(agent, async (instance) => {
    instance.idempotencyRetention = "forever";
    await instance.deleteSubmission("a");
  });
  const known = { accepted: false, submissionId: "a", status: "completed" };

  expect(await agent.inspectSubmission("a")).toBeNull();
  expect(await agent.submitMessages([message], { idempotencyKey: "k" })).toMatchObject(known);
  await agent.rebuildProjections();
  await restart(agent);
  expect(await agent.submitMessages([message], { idempotencyKey: "k" })).toMatchObject(known);
  expect(await agent.submitMessages([userMessage("two")], { idempotencyKey: "k" })).toMatchObject({
    ...known,
    payloadMismatch: true,
  });
  expect(modelCallsOf(name)).toBe(1);
});

test("FR-15: a retention in milliseconds ends, and then the key is new work", async () => {
  const { name, agent } = await freshAgent();
  const message = userMessage("one");
  await agent.submitMessages([message], { submissionId: "a", idempotencyKey: "k" });
  await agent.waitForSubmission("a");
  await inside(agent, async (instance) => {
    instance.idempotencyRetention = 0;
    await instance.deleteSubmission("a");
  });
  expect(await agent.submitMessages([message], { idempotencyKey: "k" })).toMatchObject({ accepted: true });
  await drain(agent);
  expect(modelCallsOf(name)).toBe(2);
});

test("FR-15: a retention that is none is refused as bad input, and nothing is deleted", async () => {
  const { agent } = await freshAgent();
  await agent.submitMessages([userMessage("one")], { submissionId: "a", idempotencyKey: "k" });
  await agent.waitForSubmission("a");
  for (const retention of [0.5, Number.NaN, -1, 1e300, "soon"]) {
    const refused = inside(agent, (instance) => {
      instance.idempotencyRetention = retention as number;
      return instance.deleteSubmission("a");
    });
    await expect(refused).rejects.toMatchObject({ name: "ThinkInputError", field: "idempotencyRetention" });
    await expect(inside(agent, (instance) => instance.deleteSubmissions())).rejects.toMatchObject({
      field: "idempotencyRetention",
    });
  }
  expect(await agent.inspectSubmission("a")).not.toBeNull();
});
