import { expect, test } from "vitest";
import { freshAgent } from "../support/agents.ts";
import { modelCallsOf, userMessage } from "../support/test-agent.ts";

test("a message id that the conversation has with other content ends the turn, and says which", async () => {
  const { name, agent } = await freshAgent();
  await agent.submitMessages([userMessage("first", "m1")], { submissionId: "a" });
  await agent.waitForSubmission("a");
  await agent.submitMessages([userMessage("second", "m1")], { submissionId: "b" });

  expect(await agent.waitForSubmission("b")).toMatchObject({
    status: "error",
    error: 'Message "m1" is in the conversation already, with other content',
  });
  expect(modelCallsOf(name)).toBe(1);
  const { events } = await agent.auditLog({ submissionId: "b" });
  expect(events.map(({ type }) => type)).toEqual(["TurnSubmitted", "TurnClaimed", "TurnFailed"]);
});

test("messages that the conversation has already are not stored again, and the log says which were", async () => {
  const { agent } = await freshAgent();
  await agent.submitMessages([userMessage("first", "m1")], { submissionId: "a" });
  await agent.waitForSubmission("a");
  await agent.submitMessages([userMessage("first", "m1"), userMessage("second", "m2")], { submissionId: "b" });
  expect(await agent.waitForSubmission("b")).toMatchObject({ status: "completed" });

  expect((await agent.getMessages()).filter(({ role }) => role === "user").map(({ id }) => id)).toEqual(["m1", "m2"]);
  const { events } = await agent.auditLog({ submissionId: "b", types: ["MessagesApplied"] });
  expect(events[0]?.data).toMatchObject({ messageIds: ["m2"] });
});
