import { expect, test } from "vitest";
import type { UIMessage } from "ai";
import { stall, streamError, text } from "../../src/testing/index.ts";
import { heldReply, replies } from "../support/scripts.ts";
import { userMessage } from "../support/test-agent.ts";
import { shownTranscript, type WireClient } from "./support/client.ts";
import { stored, wire } from "./support/wire.ts";
import type { WireAgent } from "./support/wire-agent.ts";

/** The id of the one request that a tab saw. */
const seenId = async (tab: WireClient): Promise<string> =>
  (await tab.waitForType("cf_agent_use_chat_response")).id ?? "";

const callback = { onStart: () => {}, onEvent: () => {}, onDone: () => {}, onError: () => {} };

test.for<[string, (agent: WireAgent) => Promise<unknown>]>([
  ["saveMessages", (agent) => agent.saveMessages([userMessage("Hi", "u1")])],
  ["runTurn", (agent) => agent.runTurn({ input: [userMessage("Hi", "u1")] })],
  ["chat", (agent) => agent.chat(userMessage("Hi", "u1"), callback)],
  ["submitMessages", (agent) => agent.submitMessages([userMessage("Hi", "u1")])],
])("P36, T3, T4, T89: a turn of %s is streamed to every tab like one of the web", async ([, start]) => {
  const { connect, inside } = await wire();
  const [one, two] = [await connect(), await connect()];
  await Promise.all([one.caughtUp(), two.caughtUp()]);
  await inside(async (agent) => void (await start(agent)));
  for (const tab of [one, two]) {
    const id = await seenId(tab);
    expect(await tab.ended(id)).toMatchObject({ body: "", done: true, outcome: "completed" });
    expect(tab.textOf(id)).toBe("Hello there");
    expect(tab.chunksOf(id)[0]).toMatchObject({ type: "start" });
    expect(tab.transcript).toEqual(["user: Hi", "assistant: Hello there"]);
    const types = tab.chat.slice(-2).map(({ type }) => type);
    expect(types).toEqual(["cf_agent_chat_messages", "cf_agent_use_chat_response"]);
  }
});

test("who connects in the middle of a turn from the server can resume it", async () => {
  const held = heldReply();
  const { agent, connect } = await wire({ script: held.script });
  const first = await connect();
  const turn = agent.saveMessages([userMessage("Hi")]);
  const id = await seenId(first);
  await first.said(id, "before");
  const second = await connect();
  expect(await second.resume()).toMatchObject({ type: "cf_agent_stream_resuming", id });
  second.ack(id);
  await second.said(id, "before");
  held.open();
  await second.ended(id);
  expect(second.textOf(id)).toBe("before after");
  expect(await turn).toMatchObject({ status: "completed", requestId: id });
});

test("P37: a tab can cancel a turn from the server by its id, and its caller learns of it", async () => {
  const { agent, connect } = await wire({ script: () => stall("half") });
  const tab = await connect();
  const turn = agent.saveMessages([userMessage("Hi")]);
  const id = await seenId(tab);
  await tab.said(id, "half");
  tab.cancel(id);
  expect(await tab.ended(id)).toMatchObject({ outcome: "aborted" });
  expect(await turn).toMatchObject({ status: "aborted", requestId: id });
  expect(shownTranscript(await stored(agent))).toEqual(["user: Hi", "assistant: half"]);
});

test("P36, FR-64: the error of a turn from the server ends it for the tabs too, and is kept for those away", async () => {
  const { agent, connect } = await wire({ script: () => streamError("overloaded", "so far") });
  const tab = await connect();
  const result = await agent.saveMessages([userMessage("Hi")]);
  expect(result).toMatchObject({ status: "error", error: "overloaded" });
  const id = await seenId(tab);
  expect(await tab.ended(id)).toMatchObject({ outcome: "error" });
  expect(tab.framesOf(id).filter(({ error }) => error)).toMatchObject([{ body: "overloaded" }]);

  const late = await connect();
  expect(await late.resume()).toMatchObject({ type: "cf_agent_stream_resuming", id });
  late.ack(id);
  expect(await late.ended(id)).toMatchObject({ body: "overloaded", error: true });
});

test("P6, T101: a turn that continues the last answer says so in each frame, and is shown in that answer", async () => {
  const { connect, inside } = await wire({ script: replies(text("One."), text(" Two.")) });
  const tab = await connect();
  const first = tab.request([userMessage("Count", "u1")]);
  await tab.ended(first);
  const from = tab.frames.length;
  const { requestId } = await inside((agent) => agent.continueTurn());
  await tab.ended(requestId, from);
  expect(tab.framesOf(requestId).every(({ continuation }) => continuation === true)).toBe(true);
  expect(tab.textOf(requestId)).toBe(" Two.");
  const [start] = tab.chunksOf(first);
  const shown: readonly UIMessage[] = tab.ofType("cf_agent_chat_messages").at(-1)?.messages ?? [];
  expect(shown.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(start).toMatchObject({ messageId: shown[1]?.id });
});

test("P28: the start chunk of a continuation names no message: it goes on in the last one", async () => {
  const { connect, inside } = await wire();
  const tab = await connect();
  await tab.ended(tab.request([userMessage("Hi", "u1")]));
  const { requestId } = await inside((agent) => agent.continueTurn());
  await tab.ended(requestId);
  expect(tab.chunksOf(requestId)[0]).not.toHaveProperty("messageId");
});

test("T90: messages that are added without a turn are shown to every tab, unless it is not wished", async () => {
  const { agent, connect } = await wire();
  const tab = await connect();
  await tab.caughtUp();
  await agent.addMessages([userMessage("loud", "m1")]);
  await tab.waitFor(({ messages }) => messages?.length === 1);
  const from = tab.chat.length;
  await agent.addMessages([userMessage("quiet", "m2")], { broadcast: false });
  await tab.caughtUp();
  expect(tab.chat.slice(from)).toEqual([]);
});

test("turns of the web and of the server take turns; each tab sees every one whole, one after the other", async () => {
  const held = heldReply("a1 ", "end");
  const { agent, connect } = await wire({ script: held.script });
  const tab = await connect();
  const web = tab.request([userMessage("q1")]);
  await tab.said(web, "a1");
  const server = agent.saveMessages([userMessage("q2")]);
  await tab.caughtUp();
  held.open();
  const { requestId } = await server;
  await tab.ended(requestId);
  const order = tab.ofType("cf_agent_use_chat_response").map(({ id }) => id);
  expect(order.indexOf(requestId)).toBeGreaterThan(order.lastIndexOf(web));
  expect([tab.textOf(web), tab.textOf(requestId)]).toEqual(["a1 end", "Hello"]);
});
