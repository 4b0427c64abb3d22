import { expect, test } from "vitest";
import { freshAgent } from "../support/agents.ts";
import { dump } from "../support/raw-log.ts";
import { userMessage } from "../support/test-agent.ts";

test("M6: a clear erases what waiting callers had submitted; submissions keep theirs until they are deleted", async () => {
  const { agent } = await freshAgent("cleared");
  await agent.saveMessages([userMessage("secret-123")]);
  await agent.submitMessages([userMessage("kept-456")], { submissionId: "s" });
  await agent.waitForSubmission("s");
  await agent.clearMessages();
  const payloads = (await dump(agent, "thinklog_payloads")).join("\n");
  expect(payloads).not.toContain("secret-123");
  expect(payloads).toContain("kept-456");
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
});
