import { expect, test } from "vitest";
import { drain, freshAgent } from "../support/agents.ts";
import { userMessage } from "../support/test-agent.ts";

test("a submission is acknowledged, run, and every step of it is an event", async () => {
  const { agent } = await freshAgent();

  const receipt = await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  expect(receipt).toMatchObject({ accepted: true, status: "pending", submissionId: "s1", requestId: "s1" });

  await drain(agent);
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });

  const { events } = await agent.auditLog({ submissionId: "s1" });
  expect(events.map((event) => event.type)).toEqual([
    "TurnSubmitted",
    "TurnClaimed",
    "MessagesApplied",
    "StepFinished",
    "TurnCompleted",
  ]);
  expect((await agent.getMessages()).map((message) => message.role)).toEqual(["user", "assistant"]);
  expect(await agent.verifyLog()).toMatchObject({ ok: true, events: 5 });
});
