import { expect, test } from "vitest";
import { tool } from "ai";
import { z } from "zod";
import { callTool, text } from "../../src/testing/index.ts";
import { drain, freshAgent, inside, restart } from "../support/agents.ts";
import { allEventTypes, eventTypes, modelCalled, transcript } from "../support/observe.ts";
import { heldReply, replies } from "../support/scripts.ts";
import { modelCallsOf, setUp, userMessage } from "../support/test-agent.ts";

test("S-1 S-21: the receipt is pending and on disk before the model is called", async () => {
  const { name, agent } = await freshAgent();
  await agent.getMessages();

  const seen = await inside(agent, async (instance) => {
    const receipt = await instance.submitMessages([userMessage("Hi")], { submissionId: "s1" });
    return { receipt, modelCalls: modelCallsOf(name), stored: await instance.inspectSubmission("s1") };
  });

  expect(seen).toMatchObject({ receipt: { accepted: true, status: "pending" }, modelCalls: 0 });
  expect(seen.stored).toMatchObject({ submissionId: "s1", status: "pending" });
  await drain(agent);
  expect(modelCallsOf(name)).toBe(1);
});

test("S-1: a function instead of an array is an argument error", async () => {
  const { agent } = await freshAgent();
  await agent.getMessages();
  const refused = inside(agent, (instance) => instance.submitMessages((() => [userMessage("Hi")]) as never));
  await expect(refused).rejects.toMatchObject({ name: "ThinkInputError", code: "not-an-array", field: "messages" });
  expect(await agent.listSubmissions()).toEqual([]);
});

test("S-2: an empty list is refused and nothing is stored", async () => {
  const { agent } = await freshAgent();
  await agent.getMessages();
  const refused = inside(agent, (instance) => instance.submitMessages([]));
  await expect(refused).rejects.toThrow("submitMessages requires at least one message");
  expect(await agent.listSubmissions()).toEqual([]);
  expect(await allEventTypes(agent)).toEqual([]);
});

test("S-3: the id is a UUID unless it is given, and the request id is the submission id", async () => {
  const { agent } = await freshAgent();
  const generated = await agent.submitMessages([userMessage("Hi")]);
  expect(generated.submissionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  expect(generated.requestId).toBe(generated.submissionId);

  const given = await agent.submitMessages([userMessage("Hi")], { submissionId: "mine" });
  expect(given).toMatchObject({ submissionId: "mine", requestId: "mine" });
});

test("S-4: the channel is stamped on user messages, and provider leftovers do not enter the conversation", async () => {
  const { agent } = await freshAgent();
  const leftover = { openai: { itemId: "msg_1" } };
  const messages = [
    { ...userMessage("Hi", "u1"), metadata: { kept: 1 } },
    { id: "a1", role: "assistant", parts: [{ type: "text", text: "Yes?", providerMetadata: leftover }] },
  ];
  await agent.submitMessages(messages as never, { submissionId: "s1", channel: "telegram" });
  await agent.waitForSubmission("s1");

  const [user, assistant] = await agent.getMessages();
  expect(user?.metadata).toEqual({ kept: 1, channel: "telegram" });
  expect(assistant?.metadata).toBeUndefined();
  expect(JSON.stringify(assistant)).not.toContain("itemId");
  await restart(agent);
  expect((await agent.getMessages())[1]).toEqual(assistant);
});

test("S-5: metadata comes back as JSON, without undefined members", async () => {
  const { agent } = await freshAgent();
  await agent.getMessages();
  const metadata = { source: "cron", nested: { n: 1 }, at: new Date(0), gone: undefined };
  await inside(agent, (instance) => instance.submitMessages([userMessage("Hi")], { submissionId: "s1", metadata }));

  const stored = { source: "cron", nested: { n: 1 }, at: "1970-01-01T00:00:00.000Z" };
  expect((await agent.inspectSubmission("s1"))?.metadata).toEqual(stored);
  expect((await agent.listSubmissions())[0]?.metadata).toEqual(stored);
});

test("S-5: metadata that is no JSON is refused before anything is stored", async () => {
  const { agent } = await freshAgent();
  await agent.getMessages();
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  for (const metadata of [circular, { n: 1n }]) {
    const refused = inside(agent, (instance) => instance.submitMessages([userMessage("Hi")], { metadata }));
    await expect(refused).rejects.toMatchObject({ code: "not-serializable", field: "metadata" });
  }
  expect(await agent.listSubmissions()).toEqual([]);
});

test("S-5: metadata that was damaged on disk is reported as absent and keeps nothing from running", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("first")]);
  await modelCalled(name, 1);
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1", metadata: { a: 1 } });
  await inside(agent, (_, { storage }) => {
    storage.sql.exec(`UPDATE thinklog_payloads SET content = '{"a":' WHERE content = '{"a":1}'`);
  });

  expect(await agent.inspectSubmission("s1")).not.toHaveProperty("metadata");
  expect((await agent.listSubmissions())[0]).not.toHaveProperty("metadata");
  held.open();
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
});

test("S-6: the receipt is the record as it was inserted, and comes after the pending hook has returned", async () => {
  const { name, agent } = await freshAgent();
  const heard: string[] = [];
  setUp(name, {
    statusHook: async ({ submissionId, status }, instance) => {
      await scheduler.wait(1);
      heard.push(status);
      if (status === "pending") await instance.cancelSubmission(submissionId, "the hook said no");
    },
  });
  const receipt = await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  expect(heard[0]).toBe("pending");
  expect(receipt).toMatchObject({ accepted: true, status: "pending" });
  expect(receipt).not.toHaveProperty("completedAt");
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "aborted", error: "the hook said no" });
  expect(heard).toEqual(["pending", "aborted"]);
  expect(modelCallsOf(name)).toBe(0);
});

test("S-7: a tool may submit, and what it submits runs after its turn", async () => {
  const { name, agent } = await freshAgent();
  setUp(name, {
    script: replies(callTool("later", {}), text("done"), text("follow-up answer")),
    tools: (instance) => ({
      later: tool({
        inputSchema: z.object({}),
        execute: async () => {
          const { status } = await instance.submitMessages([userMessage("follow-up")], { submissionId: "s2" });
          return status;
        },
      }),
    }),
  });
  await agent.submitMessages([userMessage("first")], { submissionId: "s1" });
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
  expect(await agent.waitForSubmission("s2")).toMatchObject({ status: "completed" });
  expect(await transcript(agent)).toEqual([
    "user: first",
    "assistant: done",
    "user: follow-up",
    "assistant: follow-up answer",
  ]);
});

test("S-8: a submission outlives the signal of whoever made it; only cancelSubmission ends it", async () => {
  const { agent } = await freshAgent();
  await agent.getMessages();
  await inside(agent, (instance) => {
    const options = { submissionId: "s1", signal: AbortSignal.abort("gone") };
    return instance.submitMessages([userMessage("Hi")], options);
  });
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
  expect(await eventTypes(agent, "s1")).toContain("TurnCompleted");
});
