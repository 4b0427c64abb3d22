import { expect, test } from "vitest";
import type { UIMessage } from "ai";
import type { ChatResponseResult } from "../../src/index.ts";
import { callTool, empty, text } from "../../src/testing/index.ts";
import { heldReply, replies } from "../support/scripts.ts";
import { userMessage } from "../support/test-agent.ts";
import { shownTranscript } from "./support/client.ts";
import { eventsOf, stored, wire } from "./support/wire.ts";

test("T152, P2, P31: a request is answered by its chunks, the transcript, and one terminal frame, in this order", async () => {
  const { connect } = await wire();
  const tab = await connect();
  await tab.caughtUp();
  const from = tab.chat.length;
  const id = tab.request([userMessage("Hi", "u1")]);
  await tab.ended(id);
  await tab.caughtUp();

  const frames = tab.chat.slice(from);
  const chunks = frames.slice(0, -2);
  expect(chunks.map(({ body }) => (JSON.parse(body ?? "") as { type: string }).type)).toEqual([
    "start",
    "start-step",
    "text-start",
    "text-delta",
    "text-delta",
    "text-end",
    "finish-step",
    "finish",
  ]);
  for (const chunk of chunks) expect(chunk).toMatchObject({ type: "cf_agent_use_chat_response", id, done: false });
  expect(frames.at(-2)).toMatchObject({ type: "cf_agent_chat_messages" });
  expect(frames.at(-2)?.connect).toBeUndefined();
  expect(tab.transcript).toEqual(["user: Hi", "assistant: Hello there"]);
  expect(frames.at(-1)).toEqual({
    type: "cf_agent_use_chat_response",
    id,
    body: "",
    done: true,
    outcome: "completed",
    messageIds: ["u1"],
  });
});

test("P31, T153: when the terminal frame comes, the answer is stored: a crash just then loses nothing", async () => {
  const { connect, crash, agent, inside } = await wire();
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  await tab.ended(id);
  await crash();
  await agent.getMessages().catch(() => {});
  const messages = await inside((again) => again.getMessages());
  expect(shownTranscript(messages)).toEqual(["user: Hi", "assistant: Hello there"]);
});

test("P5: chunks are numbered from nought, without a gap", async () => {
  const { connect } = await wire();
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  await tab.ended(id);
  const numbers = tab.framesOf(id).slice(0, -1);
  expect(numbers.map(({ seq }) => seq)).toEqual(numbers.map((_, index) => index));
});

test("T167, P28: the start chunk names the id under which the answer is stored", async () => {
  const { agent, connect } = await wire();
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  await tab.ended(id);
  const [start] = tab.chunksOf(id);
  const answer = (await stored(agent)).at(-1);
  expect(answer?.role).toBe("assistant");
  expect(start).toMatchObject({ type: "start", messageId: answer?.id });
});

test("P22, P27: another tab gets the question, then the same chunks, and the same end", async () => {
  const { connect } = await wire();
  const [asking, watching] = [await connect(), await connect()];
  await Promise.all([asking.caughtUp(), watching.caughtUp()]);
  const [fromAsking, fromWatching] = [asking.chat.length, watching.chat.length];
  const id = asking.request([userMessage("Hi", "u1")]);
  await Promise.all([asking.ended(id), watching.ended(id)]);

  const [question, ...rest] = watching.chat.slice(fromWatching);
  expect(question).toMatchObject({ type: "cf_agent_chat_messages", messages: [{ id: "u1" }] });
  expect(rest).toEqual(asking.chat.slice(fromAsking));
});

test("P21: the question is stored as one of the web", async () => {
  const { agent, connect } = await wire();
  const tab = await connect();
  await tab.ended(tab.request([userMessage("Hi", "u1")]));
  expect((await stored(agent))[0]).toMatchObject({ id: "u1", metadata: { channel: "web" } });
});

test("P17, P4: the terminal frame names every message at the end of the request, and no other frame does", async () => {
  const { connect } = await wire();
  const tab = await connect();
  const id = tab.request([userMessage("one", "u1"), userMessage("two", "u2")]);
  await tab.ended(id);
  expect(tab.framesOf(id).filter(({ messageIds }) => messageIds !== undefined)).toHaveLength(1);
  expect((await tab.ended(id)).messageIds).toEqual(["u1", "u2"]);
});

test("a client sends its whole transcript with each request; what is known is not stored again", async () => {
  const { agent, connect } = await wire();
  const tab = await connect();
  await tab.ended(tab.request([userMessage("one", "u1")]));
  const known = await stored(agent);
  const id = tab.request([...known, userMessage("two", "u2")]);
  expect((await tab.ended(id)).messageIds).toEqual(["u2"]);
  expect(shownTranscript(await stored(agent))).toEqual([
    "user: one",
    "assistant: Hello there",
    "user: two",
    "assistant: Hello there",
  ]);
  expect((await stored(agent)).slice(0, 2)).toEqual(known);
});

test("what a client left out of its transcript stays in the conversation", async () => {
  const { agent, connect } = await wire();
  const tab = await connect();
  await tab.ended(tab.request([userMessage("one")]));
  await tab.ended(tab.request([userMessage("two")]));
  expect(shownTranscript(await stored(agent))).toEqual([
    "user: one",
    "assistant: Hello there",
    "user: two",
    "assistant: Hello there",
  ]);
});

test("FR-61: a client's own copy of an answer, under another id, becomes no second one", async () => {
  const { agent, connect } = await wire({
    script: replies(callTool("browse", { page: 1 }, "call-1"), text("done"), text("again")),
  });
  const tab = await connect();
  const clientTools = [{ name: "browse", parameters: { type: "object", properties: { page: { type: "number" } } } }];
  await tab.ended(tab.request([userMessage("go", "u1")], { clientTools }));
  tab.toolResult({ toolCallId: "call-1", toolName: "browse", output: "a page" });
  await tab.waitForType("cf_agent_message_updated");

  const optimistic: UIMessage = {
    id: "of-the-client",
    role: "assistant",
    parts: [{ type: "tool-browse", toolCallId: "call-1", state: "input-available", input: { page: 1 } }],
  };
  await tab.ended(tab.request([userMessage("go", "u1"), optimistic, userMessage("and?", "u2")], { clientTools }));
  const messages = await stored(agent);
  const calls = messages.flatMap(({ id, parts }) =>
    parts.flatMap((part) => ("toolCallId" in part ? [{ id, part }] : [])),
  );
  expect(calls).toMatchObject([{ part: { toolCallId: "call-1", state: "output-available", output: "a page" } }]);
  expect(messages.map(({ id }) => id)).not.toContain("of-the-client");
});

test("T324, T325: the other fields of a request are the body of its turn, and of no later one", async () => {
  const bodies: unknown[] = [];
  const { connect } = await wire({ beforeTurn: ({ body }) => void bodies.push(body) });
  const tab = await connect();
  await tab.ended(tab.request([userMessage("one")], { body: { model: "fast", depth: 2 } }));
  await tab.ended(tab.request([userMessage("two")]));
  expect(bodies[0]).toEqual({ model: "fast", depth: 2 });
  expect(bodies[1] ?? {}).toEqual({});
});

test("decision 16: each waiting request keeps the body that it brought", async () => {
  const bodies: unknown[] = [];
  const held = heldReply();
  const { connect } = await wire({ script: held.script, beforeTurn: ({ body }) => void bodies.push(body) });
  const tab = await connect();
  const first = tab.request([userMessage("one")], { body: { n: 1 } });
  await tab.said(first, "before");
  const second = tab.request([userMessage("two")], { body: { n: 2 } });
  const third = tab.request([userMessage("three")], { body: { n: 3 } });
  await tab.caughtUp();
  held.open();
  await Promise.all([first, second, third].map((id) => tab.ended(id)));
  expect(bodies).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test("P34: an answer with nothing in it writes no message, and still ends, also for the hook", async () => {
  const heard: ChatResponseResult[] = [];
  const { agent, connect } = await wire({
    script: () => empty(),
    onChatResponse: (result) => void heard.push(result),
  });
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  expect(await tab.ended(id)).toMatchObject({ body: "", outcome: "completed" });
  expect(shownTranscript(await stored(agent))).toEqual(["user: Hi"]);
  await expect.poll(() => heard).toMatchObject([{ requestId: id, status: "completed", message: { parts: [] } }]);
});

test("T322, P31: onChatResponse hears of the turn, after the terminal frame", async () => {
  const heard: ChatResponseResult[] = [];
  const gate = Promise.withResolvers<void>();
  const { connect } = await wire({
    onChatResponse: async (result) => {
      heard.push(result);
      await gate.promise;
    },
  });
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  await tab.ended(id);
  await expect.poll(() => heard).toMatchObject([{ requestId: id, status: "completed", continuation: false }]);
  gate.resolve();
});

test("decision 2: a turn of the web is on the record from its acceptance to its end", async () => {
  const { agent, connect } = await wire();
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  await tab.ended(id);
  expect(await eventsOf(agent, id)).toEqual([
    "TurnSubmitted",
    "TurnClaimed",
    "MessagesApplied",
    "StepFinished",
    "TurnCompleted",
  ]);
  const [submitted] = (await agent.auditLog({ submissionId: id, types: ["TurnSubmitted"] })).events;
  expect(submitted?.data).toMatchObject({ trigger: "ws-chat" });
});
