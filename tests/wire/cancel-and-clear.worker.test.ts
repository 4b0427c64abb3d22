import { expect, test } from "vitest";
import type { ChatResponseResult } from "../../src/index.ts";
import { callTool, stall, streamError, text } from "../../src/testing/index.ts";
import { heldReply, replies } from "../support/scripts.ts";
import { userMessage } from "../support/test-agent.ts";
import { quietTime } from "./support/calls.ts";
import { shownTranscript } from "./support/client.ts";
import { clientTool } from "./support/tools.ts";
import { eventsOf, stored, wire } from "./support/wire.ts";

test("T155: to cancel what nobody knows does nothing", async () => {
  const { connect } = await wire();
  const tab = await connect();
  await tab.caughtUp();
  const from = tab.chat.length;
  tab.cancel("nobody");
  await tab.caughtUp();
  expect(tab.chat.slice(from)).toEqual([]);
  expect(await tab.ended(tab.request([userMessage("Hi")]))).toMatchObject({ outcome: "completed" });
});

test("P37: any tab can cancel, and the abort reaches the model", async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const { connect } = await wire({
    script: ({ signal }) => {
      signals.push(signal);
      return stall("half");
    },
  });
  const [asking, other] = [await connect(), await connect()];
  const id = asking.request([userMessage("Hi")]);
  await other.said(id, "half");
  other.cancel(id);
  expect(await asking.ended(id)).toMatchObject({ outcome: "aborted" });
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});

test("P37, K-25: a cancel of a turn that waits in the queue is honoured: it ends as aborted and asks no model", async () => {
  const held = heldReply();
  const { agent, connect, inside } = await wire({ script: held.script });
  const tab = await connect();
  const first = tab.request([userMessage("one", "u1")]);
  await tab.said(first, "before");
  const second = tab.request([userMessage("two", "u2")]);
  await tab.caughtUp();
  tab.cancel(second);
  await tab.caughtUp();
  held.open();
  await tab.ended(first);
  expect(await tab.ended(second)).toMatchObject({ outcome: "aborted" });
  expect(await inside(({ model }) => model.calls.length)).toBe(1);
  expect(tab.textOf(second)).toBe("");
  expect(await eventsOf(agent, second)).toContain("TurnAborted");
});

test("K-25: a cancel sent right behind its request is honoured, even while the agent is still at accepting it", async () => {
  const { agent, connect } = await wire({ script: () => stall("never ends") });
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  tab.cancel(id);
  expect(await tab.ended(id)).toMatchObject({ outcome: "aborted" });
  await expect.poll(() => eventsOf(agent, id)).toContain("TurnAborted");
});

test("a cancel that comes before its turn asks the model, while hooks run, ends it as aborted", async () => {
  const gate = Promise.withResolvers<void>();
  const { connect, inside } = await wire({
    beforeTurn: () => gate.promise,
  });
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  await tab.caughtUp();
  tab.cancel(id);
  await tab.caughtUp();
  gate.resolve();
  expect(await tab.ended(id)).toMatchObject({ outcome: "aborted" });
  expect(tab.textOf(id)).toBe("");
  expect(await inside(({ model }) => model.calls.length)).toBeLessThanOrEqual(1);
});

test("a cancel after the end changes nothing, and no second end is sent", async () => {
  const { agent, connect } = await wire();
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  await tab.ended(id);
  const before = tab.chat.length;
  tab.cancel(id);
  await tab.caughtUp();
  expect(tab.chat).toHaveLength(before);
  expect(shownTranscript(await stored(agent))).toEqual(["user: Hi", "assistant: Hello there"]);
});

test("a second request of an id that runs is no second turn", async () => {
  const held = heldReply();
  const { agent, connect, inside } = await wire({ script: held.script });
  const tab = await connect();
  const question = [userMessage("Hi", "u1")];
  const id = tab.request(question);
  await tab.said(id, "before");
  tab.request(question, { id });
  await tab.caughtUp();
  held.open();
  await tab.ended(id);
  await tab.caughtUp();
  expect(await inside(({ model }) => model.calls.length)).toBe(1);
  expect(shownTranscript(await stored(agent))).toEqual(["user: Hi", "assistant: before after"]);
});

test("T154, P39: a clear empties the conversation, and tells all but the one who cleared", async () => {
  const { agent, connect } = await wire();
  const [clearing, other] = [await connect(), await connect()];
  await clearing.ended(clearing.request([userMessage("Hi")]));
  clearing.clear();
  await other.waitForType("cf_agent_chat_clear");
  await clearing.caughtUp();
  expect(clearing.ofType("cf_agent_chat_clear")).toEqual([]);
  expect(await stored(agent)).toEqual([]);
  const late = await connect();
  await late.waitForType("cf_agent_chat_messages");
  expect(late.transcript).toEqual([]);
});

test("T7, P40: clearMessages of the server tells every tab", async () => {
  const { agent, connect } = await wire();
  const [one, two] = [await connect(), await connect()];
  await one.ended(one.request([userMessage("Hi")]));
  await agent.clearMessages();
  await Promise.all([one, two].map((tab) => tab.waitForType("cf_agent_chat_clear")));
  expect(await stored(agent)).toEqual([]);
});

test("P41: what a running turn says after a clear is not stored, and no response hook hears of it", async () => {
  const heard: ChatResponseResult[] = [];
  const { agent, connect } = await wire({
    script: replies(stall("half"), text("after")),
    onChatResponse: (result) => void heard.push(result),
  });
  const tab = await connect();
  const first = tab.request([userMessage("one")]);
  await tab.said(first, "half");
  tab.clear();
  await tab.ended(first);
  const second = tab.request([userMessage("two", "u2")]);
  expect(await tab.ended(second)).toMatchObject({ outcome: "completed" });
  expect(shownTranscript(await stored(agent))).toEqual(["user: two", "assistant: after"]);
  await expect.poll(() => heard).toMatchObject([{ requestId: second }]);
});

test("P24, T-75: turns that wait at a clear end as skipped, for every tab, and their questions are gone", async () => {
  const { agent, connect } = await wire({ script: replies(stall("half"), text("never")) });
  const [asking, other] = [await connect(), await connect()];
  const first = asking.request([userMessage("one")]);
  await asking.said(first, "half");
  const second = asking.request([userMessage("two")]);
  await asking.caughtUp();
  other.clear();
  for (const tab of [asking, other]) expect(await tab.ended(second)).toMatchObject({ body: "", outcome: "skipped" });
  expect(await stored(agent)).toEqual([]);
  await expect.poll(() => eventsOf(agent, second)).toContain("TurnSkipped");
});

test("T164: a clear drops the kept error", async () => {
  const { connect } = await wire({ script: () => streamError("overloaded") });
  const tab = await connect();
  await tab.ended(tab.request([userMessage("Hi")]));
  tab.clear();
  expect(await tab.resume()).toMatchObject({ type: "cf_agent_stream_resume_none", reason: "idle" });
});

test("T312, P39: a clear forgets the tools that a client brought", async () => {
  const tools: string[][] = [];
  const { connect } = await wire({ beforeTurn: (context) => void tools.push(Object.keys(context.tools)) });
  const tab = await connect();
  await tab.ended(tab.request([userMessage("one")], { clientTools: [clientTool("browse")] }));
  tab.clear();
  await tab.ended(tab.request([userMessage("two")]));
  expect(tools[0]).toContain("browse");
  expect(tools[1]).not.toContain("browse");
});

test("C27: a clear drops a continuation that waits for the rest of its batch", async () => {
  const both = {
    steps: [...callTool("browse", {}, "call-1").steps.slice(0, -1), ...callTool("browse", {}, "call-2").steps],
  };
  const { connect, inside } = await wire({ script: replies(both, text("never")) });
  const tab = await connect();
  await tab.ended(tab.request([userMessage("go")], { clientTools: [clientTool("browse")] }));
  tab.toolResult({ toolCallId: "call-1", toolName: "browse", output: "page", autoContinue: true });
  tab.clear();
  await tab.caughtUp();
  await quietTime();
  expect(await inside(({ model }) => model.calls.length)).toBe(1);
  expect(tab.frames.filter(({ continuation, outcome }) => continuation && outcome !== "skipped")).toEqual([]);
});

test("a request that is cancelled while it waits was asked all the same: its message stays, and nothing answers it", async () => {
  const held = heldReply();
  const { agent, connect } = await wire({ script: held.script });
  const tab = await connect();
  const running = tab.request([userMessage("one", "u1")]);
  await tab.said(running, "before");
  const waiting = tab.request([userMessage("two", "u2")]);
  await tab.caughtUp();
  tab.cancel(waiting);
  expect(await tab.ended(waiting)).toMatchObject({ outcome: "aborted", messageIds: ["u2"] });
  held.open();
  await tab.ended(running);
  expect((await stored(agent)).map(({ id }) => id)).toEqual(["u1", "u2", expect.stringMatching(/^answer-/)]);
  expect(await eventsOf(agent, waiting)).toEqual(["TurnSubmitted", "TurnAborted"]);
});
