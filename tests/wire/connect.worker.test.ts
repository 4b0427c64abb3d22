import { expect, test } from "vitest";
import { streamError } from "../../src/testing/index.ts";
import { heldReply } from "../support/scripts.ts";
import { userMessage } from "../support/test-agent.ts";
import { shownTranscript } from "./support/client.ts";
import { eventsOf, stored, wire } from "./support/wire.ts";

test("T157, P14: who connects to an idle agent gets one transcript, marked as that of the connection", async () => {
  const { connect } = await wire();
  const tab = await connect();
  await tab.caughtUp();
  expect(tab.chat).toEqual([{ type: "cf_agent_chat_messages", messages: [], connect: true }]);
});

test("T156, T161, P14: after a turn, and after a restart, the transcript is that of the stored conversation", async () => {
  const { agent, connect, restart } = await wire();
  const first = await connect();
  await first.ended(first.request([userMessage("Hi", "u1")]));

  const second = await connect();
  await second.waitForType("cf_agent_chat_messages");
  expect(second.transcript).toEqual(["user: Hi", "assistant: Hello there"]);

  await restart();
  const third = await connect();
  await third.caughtUp();
  expect(third.chat).toEqual([{ type: "cf_agent_chat_messages", messages: await stored(agent), connect: true }]);
});

test("T158, P13: who connects while an answer streams is told of the stream and gets no transcript", async () => {
  const held = heldReply();
  const { connect } = await wire({ script: held.script });
  const first = await connect();
  const id = first.request([userMessage("Hi")]);
  await first.said(id, "before");

  const second = await connect();
  await second.caughtUp();
  expect(second.chat).toEqual([{ type: "cf_agent_stream_resuming", id }]);
  held.open();
  await first.ended(id);
});

test("P14, P50: who connects before the accepted turn streams is asked to wait, gets the transcript, then the stream", async () => {
  const gate = Promise.withResolvers<void>();
  const held = heldReply();
  const { connect } = await wire({ beforeTurn: () => gate.promise, script: held.script });
  const first = await connect();
  const id = first.request([userMessage("Hi", "u1")]);
  await first.caughtUp();

  const second = await connect();
  await second.caughtUp();
  expect(second.chat).toMatchObject([
    { type: "cf_agent_stream_pending" },
    { type: "cf_agent_chat_messages", messages: [{ id: "u1" }], connect: true },
  ]);
  gate.resolve();
  await second.waitFor((frame) => frame.type === "cf_agent_stream_resuming" && frame.id === id);
  second.ack(id);
  await second.said(id, "before");
  held.open();
  await second.ended(id);
  expect(second.textOf(id)).toBe("before after");
});

test("P15: a stored error is not sent on connect, only on request", async () => {
  const { connect } = await wire({ script: () => streamError("overloaded", "so ") });
  const first = await connect();
  await first.ended(first.request([userMessage("Hi")]));

  const second = await connect();
  await second.caughtUp();
  expect(second.types).toEqual(["cf_agent_chat_messages"]);
  expect(await second.resume()).toMatchObject({ type: "cf_agent_stream_resuming" });
});

test("FR-64, P49: with nothing to resume, the question is answered at once", async () => {
  const { connect } = await wire();
  const tab = await connect();
  expect(await tab.resume("probe-1")).toEqual({
    type: "cf_agent_stream_resume_none",
    reason: "idle",
    probeId: "probe-1",
  });
});

test("P11, P12: onConnect and onClose of the subclass run, beside the chat", async () => {
  const seen: string[] = [];
  const { connect } = await wire({
    onConnect: (_, { request }) => void seen.push(`connect ${new URL(request.url).search}`),
    onClose: () => void seen.push("close"),
  });
  const tab = await connect("?tab=1");
  await tab.waitForType("cf_agent_chat_messages");
  tab.close();
  await expect.poll(() => seen).toEqual(["connect ?tab=1", "close"]);
});

test("a tab that leaves while its answer streams costs nothing: the answer is stored whole", async () => {
  const held = heldReply();
  const { agent, connect } = await wire({ script: held.script });
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  await tab.said(id, "before");
  tab.close();
  held.open();
  await expect.poll(async () => shownTranscript(await stored(agent))).toEqual(["user: Hi", "assistant: before after"]);
  await expect.poll(() => eventsOf(agent, id)).toContain("TurnCompleted");
});

test("P58: a tab that leaves after it was asked to wait is forgotten; others get the stream", async () => {
  const gate = Promise.withResolvers<void>();
  const held = heldReply();
  const { connect } = await wire({ beforeTurn: () => gate.promise, script: held.script });
  const first = await connect();
  const id = first.request([userMessage("Hi")]);
  const leaver = await connect();
  const stayer = await connect();
  await Promise.all([leaver, stayer].map((tab) => tab.waitForType("cf_agent_stream_pending")));
  leaver.close();
  gate.resolve();
  await stayer.waitForType("cf_agent_stream_resuming");
  stayer.ack(id);
  await stayer.said(id, "before");
  held.open();
  await Promise.all([first.ended(id), stayer.ended(id)]);
  expect(stayer.textOf(id)).toBe("before after");
});
