import { expect, test } from "vitest";
import { callTool } from "../../src/testing/index.ts";
import { heldReply, replies } from "../support/scripts.ts";
import { userMessage } from "../support/test-agent.ts";
import { callsIn, quietTime } from "./support/calls.ts";
import { shownTranscript } from "./support/client.ts";
import { clientTool, guardedTool } from "./support/tools.ts";
import { stored, wire } from "./support/wire.ts";
import type { WireSetup } from "./support/wire-agent.ts";

/** An agent with a tab that may do all, and one that may only look. */
async function withViewer(setup: Partial<WireSetup> = {}) {
  const agent = await wire({ isReadonly: (request) => new URL(request.url).searchParams.has("viewer"), ...setup });
  return { ...agent, tab: await agent.connect(), viewer: await agent.connect("?viewer=1") };
}

test("a read-only connection cannot start a turn: it gets an error and an end, others get nothing", async () => {
  const { agent, tab, viewer, inside } = await withViewer();
  const id = viewer.request([userMessage("let me in", "u1")]);
  const end = await viewer.ended(id);
  expect(end).toMatchObject({ done: true, error: true });
  expect(end.body).not.toBe("");
  await tab.caughtUp();
  expect(tab.framesOf(id)).toEqual([]);
  expect(await stored(agent)).toEqual([]);
  expect(await inside(({ model }) => model.calls.length)).toBe(0);
});

test("it cannot regenerate either", async () => {
  const { agent, tab, viewer } = await withViewer();
  await tab.ended(tab.request([userMessage("Hi", "u1")]));
  const before = await stored(agent);
  const id = viewer.request([userMessage("Hi", "u1")], { trigger: "regenerate-message" });
  expect(await viewer.ended(id)).toMatchObject({ error: true });
  expect(await stored(agent)).toEqual(before);
});

test("it follows live: the transcript, the chunks, the end, and a resumption", async () => {
  const held = heldReply();
  const { connect, tab, viewer } = await withViewer({ script: held.script });
  const id = tab.request([userMessage("Hi", "u1")]);
  await viewer.said(id, "before");
  const late = await connect("?viewer=2");
  expect(await late.resume()).toMatchObject({ type: "cf_agent_stream_resuming", id });
  late.ack(id);
  await late.said(id, "before");
  held.open();
  for (const each of [viewer, late]) {
    expect(await each.ended(id)).toMatchObject({ outcome: "completed" });
    expect(each.textOf(id)).toBe("before after");
    expect(each.transcript).toEqual(["user: Hi", "assistant: before after"]);
  }
});

test("it cannot cancel", async () => {
  const held = heldReply();
  const { tab, viewer } = await withViewer({ script: held.script });
  const id = tab.request([userMessage("Hi")]);
  await viewer.said(id, "before");
  viewer.cancel(id);
  await viewer.caughtUp();
  held.open();
  expect(await tab.ended(id)).toMatchObject({ outcome: "completed" });
  expect(tab.textOf(id)).toBe("before after");
});

test("it cannot clear", async () => {
  const { agent, tab, viewer } = await withViewer();
  await tab.ended(tab.request([userMessage("Hi")]));
  viewer.clear();
  await viewer.caughtUp();
  await tab.caughtUp();
  expect(tab.ofType("cf_agent_chat_clear")).toEqual([]);
  expect(shownTranscript(await stored(agent))).toEqual(["user: Hi", "assistant: Hello there"]);
});

test("it cannot answer for the browser: the message comes back to it as it is", async () => {
  const { agent, tab, viewer, inside } = await withViewer({ script: () => callTool("browse", { page: 1 }, "c1") });
  await tab.ended(tab.request([userMessage("go")], { clientTools: [clientTool("browse")] }));
  const before = await stored(agent);
  viewer.toolResult({ toolCallId: "c1", toolName: "browse", output: "a page", autoContinue: true });
  expect((await viewer.waitForType("cf_agent_message_updated")).message).toEqual(before.at(-1));
  await quietTime();
  expect(await stored(agent)).toEqual(before);
  expect(tab.ofType("cf_agent_message_updated")).toEqual([]);
  expect(await inside(({ model }) => model.calls.length)).toBe(1);
});

test("it cannot approve: the message comes back to it as it is, and nothing is executed", async () => {
  const removed: string[] = [];
  const { agent, tab, viewer } = await withViewer({
    script: replies(callTool("remove", { path: "/all" }, "c1")),
    tools: { remove: guardedTool(({ path }) => removed.push(path)) },
  });
  await tab.ended(tab.request([userMessage("clean up")]));
  const before = await stored(agent);
  viewer.approve({ toolCallId: "c1", approved: true, autoContinue: true });
  const { message } = await viewer.waitForType("cf_agent_message_updated");
  expect(callsIn(message ? [message] : [])).toMatchObject({ c1: { state: "approval-requested" } });
  await quietTime();
  expect(removed).toEqual([]);
  expect(await stored(agent)).toEqual(before);
});

test("a connection that becomes read-only later is held to it from then on", async () => {
  const { agent, tab, inside } = await withViewer();
  await tab.ended(tab.request([userMessage("one")]));
  await inside((object) => {
    for (const connection of object.getConnections()) object.setConnectionReadonly(connection);
  });
  const id = tab.request([userMessage("two")]);
  expect(await tab.ended(id)).toMatchObject({ error: true });
  expect(await stored(agent)).toHaveLength(2);
});
