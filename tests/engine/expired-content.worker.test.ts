import { expect, test } from "vitest";
import { freshAgent, inside } from "../support/agents.ts";
import { dump } from "../support/raw-log.ts";
import { userMessage } from "../support/test-agent.ts";

/** An agent with a deleted submission, `x`, whose key `k` is free again; its content is still there. */
async function withExpiredTombstone() {
  const { agent } = await freshAgent("expired");
  await agent.submitMessages([userMessage("secret-123")], { submissionId: "x", idempotencyKey: "k" });
  await agent.waitForSubmission("x");
  await inside(agent, async (instance) => {
    instance.idempotencyRetention = 1;
    await instance.deleteSubmission("x");
    await scheduler.wait(5);
  });
  const secrets = async () => (await dump(agent, "thinklog_payloads")).filter((row) => row.includes("secret-123"));
  expect(await secrets()).toHaveLength(1);
  return { agent, secrets };
}

test.for([
  ["a new submission with its key", { submissionId: "y", idempotencyKey: "k" }],
  ["a new submission with its id and key", { submissionId: "x", idempotencyKey: "k" }],
  ["a new submission with its id, without a key", { submissionId: "x" }],
] as const)("M5: the content of an expired tombstone is erased by %s", async ([, options]) => {
  const { agent, secrets } = await withExpiredTombstone();
  expect(await agent.submitMessages([userMessage("other")], options)).toMatchObject({ accepted: true });
  expect(await secrets()).toEqual([]);
});

test("M5: the content of an expired tombstone is erased when its key is bound to a known submission", async () => {
  const { agent, secrets } = await withExpiredTombstone();
  await agent.submitMessages([userMessage("other", "m")], { submissionId: "z" });
  await agent.submitMessages([userMessage("other", "m")], { submissionId: "z", idempotencyKey: "k" });
  expect(await secrets()).toEqual([]);
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
});
