import { expect, test } from "vitest";
import { freshAgent, inside, restart } from "../support/agents.ts";
import { modelCalled, transcript } from "../support/observe.ts";
import { type RawLog, withLog } from "../support/raw-log.ts";
import { heldReply } from "../support/scripts.ts";
import { setUp, userMessage } from "../support/test-agent.ts";

/** UTF-16 units of one stored part: what `payload-store` cuts at. */
const PART = 500_000;

function stored({ storage, payloads }: RawLog, content: string): { content: string | undefined; parts: number } {
  const prepared = payloads.prepare(content, "salt");
  storage.transactionSync(() => prepared.write());
  const parts = storage.sql.exec("SELECT * FROM thinklog_payloads WHERE digest = ?", prepared.digest).toArray().length;
  expect(payloads.intact(prepared.digest)).toBe(true);
  return { content: payloads.get(prepared.digest), parts };
}

test("three megabytes come back byte for byte", () =>
  withLog((raw) => {
    const content = Array.from({ length: 300_000 }, (_, index) => `${index % 10}abcdefghi`).join("");
    expect(content).toHaveLength(3_000_000);
    const result = stored(raw, content);
    expect(result.content === content).toBe(true);
    expect(result.parts).toBe(6);
  }));

test("three megabytes of characters that take three bytes each come back", () =>
  withLog((raw) => {
    const content = "漢".repeat(1_500_000);
    expect(stored(raw, content).content === content).toBe(true);
  }));

test("a surrogate pair on the boundary of two parts is not cut", () =>
  withLog((raw) => {
    for (const before of [PART - 2, PART - 1, PART, PART + 1]) {
      const content = `${"a".repeat(before)}😀${"b".repeat(PART)}`;
      expect(stored(raw, content).content === content).toBe(true);
    }
    const pairs = `x${"😀".repeat(PART)}`;
    expect(stored(raw, pairs).content === pairs).toBe(true);
  }));

test("content of exactly one part, and of none, comes back", () =>
  withLog((raw) => {
    for (const content of ["", "a".repeat(PART), "a".repeat(PART + 1)]) {
      expect(stored(raw, content).content === content).toBe(true);
    }
  }));

test("the same content under two salts has two digests, and neither says what it was", () =>
  withLog(({ payloads }) => {
    expect(payloads.prepare("yes", "one").digest).not.toBe(payloads.prepare("yes", "two").digest);
  }));

test("erased content is gone, cannot be compared, and leaves the log whole", async () => {
  const { agent } = await freshAgent("payloads");
  const message = userMessage("forget me");
  await agent.submitMessages([message], { submissionId: "s1", idempotencyKey: "k" });
  await agent.waitForSubmission("s1");
  await inside(agent, (_, { storage }) => void storage.sql.exec("DELETE FROM thinklog_payloads"));
  await restart(agent);
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
  const retried = await agent.submitMessages([userMessage("another")], { idempotencyKey: "k" });
  expect(retried).toMatchObject({ accepted: false, submissionId: "s1" });
  expect(retried).not.toHaveProperty("payloadMismatch");
});

test("a waiting submission whose content was erased ends with that reason, and those behind it run", async () => {
  const { name, agent } = await freshAgent("payloads");
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("first")]);
  await modelCalled(name, 1);
  await agent.submitMessages([userMessage("forget me")], { submissionId: "s1" });
  await inside(agent, (_, { storage }) => {
    storage.sql.exec("DELETE FROM thinklog_payloads WHERE content LIKE '%forget me%'");
  });
  await agent.submitMessages([userMessage("last")], { submissionId: "s2" });
  held.open();
  expect(await agent.waitForSubmission("s1")).toMatchObject({
    status: "error",
    error: "The submitted messages were erased.",
  });
  expect(await agent.waitForSubmission("s2")).toMatchObject({ status: "completed" });
  expect(await transcript(agent)).not.toContain("user: forget me");
});

test("FR-42: a submission of three megabytes in two messages is stored and run whole", async () => {
  const { agent } = await freshAgent("payloads");
  const long = `${"a".repeat(1_500_000)}😀`;
  await agent.submitMessages([userMessage(long), userMessage(long)], { submissionId: "s1" });
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
  await restart(agent);
  const [first, second] = await transcript(agent);
  expect(first === `user: ${long}` && second === first).toBe(true);
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
});
