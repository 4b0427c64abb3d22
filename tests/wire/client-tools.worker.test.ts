import { expect, test } from "vitest";
import type { ChatResponseResult } from "../../src/index.ts";
import { callTool, type Reply, text, textAround } from "../../src/testing/index.ts";
import { replies } from "../support/scripts.ts";
import { userMessage } from "../support/test-agent.ts";
import { callTools } from "../support/turn-probes.ts";
import { callsIn, isEndOfContinuation, quietTime } from "./support/calls.ts";
import type { WireClient } from "./support/client.ts";
import { addTool, clientTool } from "./support/tools.ts";
import { stored, wire } from "./support/wire.ts";
import type { WireSetup } from "./support/wire-agent.ts";

const browse = clientTool("browse");
const callOf = (toolCallId: string): Reply => callTool("browse", { page: 1 }, toolCallId);
const resultOf = (toolCallId: string, output: unknown = "a page") => ({ toolCallId, toolName: "browse", output });

/** An agent whose model has called the browser's tool, and the tab that asked. */
async function called(script: WireSetup["script"], setup: Partial<WireSetup> = {}) {
  const agent = await wire({ script, ...setup });
  const [tab, other] = [await agent.connect(), await agent.connect()];
  const id = tab.request([userMessage("go", "u1")], { clientTools: [browse] });
  await Promise.all([tab.ended(id), other.ended(id)]);
  return { ...agent, tab, other, id, modelCalls: () => agent.inside(({ model }) => model.calls.length) };
}

/** The tool results in the last prompt, by call. */
const lastPromptResults = (wired: Awaited<ReturnType<typeof called>>) =>
  wired.inside(({ model }) =>
    (model.calls.at(-1)?.prompt ?? []).flatMap(({ role, content }) =>
      role === "tool" ? content.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : [])) : [],
    ),
  );

test("T310, C5: the tools of a client reach the turn; a call of one ends the turn and waits for the browser", async () => {
  const tools: string[][] = [];
  const { agent, tab, id, modelCalls } = await called(() => callOf("c1"), {
    beforeTurn: (context) => void tools.push(Object.keys(context.tools)),
  });
  expect(tools[0]).toContain("browse");
  expect(await tab.ended(id)).toMatchObject({ outcome: "completed" });
  expect(callsIn(await stored(agent))).toMatchObject({ c1: { state: "input-available", input: { page: 1 } } });
  expect(await modelCalls()).toBe(1);
});

test("C1: a client's tool replaces a server's of the same name", async () => {
  let executed = 0;
  const counted = { ...addTool, execute: () => (executed += 1) };
  const { connect } = await wire({ tools: { add: counted }, script: () => callTool("add", { a: 1, b: 2 }, "c1") });
  const tab = await connect();
  await tab.ended(tab.request([userMessage("go")], { clientTools: [clientTool("add")] }));
  expect(executed).toBe(0);
});

test("T272, T314, C9: a result is taken into the call, and every tab gets the changed message", async () => {
  const { agent, tab, other } = await called(() => callOf("c1"));
  tab.toolResult(resultOf("c1"));
  for (const each of [tab, other]) {
    const { message } = await each.waitForType("cf_agent_message_updated");
    expect(callsIn(message ? [message] : [])).toMatchObject({ c1: { state: "output-available", output: "a page" } });
  }
  expect(callsIn(await stored(agent))).toMatchObject({ c1: { state: "output-available", output: "a page" } });
});

test("T273, T274: an error of the browser is taken in as such, with its text or a usual one", async () => {
  const { agent, tab } = await called(() => callTools(callOf("c1"), callOf("c2")));
  tab.toolResult({ toolCallId: "c1", toolName: "browse", state: "output-error", errorText: "no such page" });
  tab.toolResult({ toolCallId: "c2", toolName: "browse", state: "output-error" });
  await expect.poll(() => tab.ofType("cf_agent_message_updated").length).toBe(2);
  expect(callsIn(await stored(agent))).toMatchObject({
    c1: { state: "output-error", errorText: "no such page" },
    c2: { state: "output-error", errorText: "Tool execution denied by user" },
  });
});

test("T275, FR-57: the first result stands; another for the same call changes nothing", async () => {
  const { agent, tab } = await called(() => callOf("c1"));
  tab.toolResult(resultOf("c1", "first"));
  tab.toolResult(resultOf("c1", "second"));
  await tab.waitForType("cf_agent_message_updated");
  await tab.caughtUp();
  expect(callsIn(await stored(agent))).toMatchObject({ c1: { output: "first" } });
  for (const { message } of tab.ofType("cf_agent_message_updated")) {
    expect(callsIn(message ? [message] : [])).toMatchObject({ c1: { output: "first" } });
  }
});

test("T281, C6: a result of a call that nobody made changes nothing and starts nothing", async () => {
  const { agent, tab, other, modelCalls } = await called(() => callOf("c1"));
  const before = await stored(agent);
  const from = other.chat.length;
  tab.toolResult({ ...resultOf("forged"), autoContinue: true });
  await tab.caughtUp();
  await quietTime();
  expect(await stored(agent)).toEqual(before);
  expect(other.chat.slice(from)).toEqual([]);
  expect(await modelCalls()).toBe(1);
});

test("decision 22, W12: a result under the name of another tool is refused, and the message comes back as it is", async () => {
  const { agent, tab, modelCalls } = await called(() => callOf("c1"));
  const before = await stored(agent);
  tab.toolResult({ ...resultOf("c1"), toolName: "add", autoContinue: true });
  const { message } = await tab.waitForType("cf_agent_message_updated");
  expect(message).toEqual(before.at(-1));
  await quietTime();
  expect(await stored(agent)).toEqual(before);
  expect(await modelCalls()).toBe(1);
});

test("decision 22, W12: a result of the server's own tool, sent by a client while it runs, is refused", async () => {
  const gate = Promise.withResolvers<void>();
  const slow = { ...addTool, execute: () => gate.promise.then(() => 3) };
  const { agent, connect } = await wire({
    tools: { add: slow },
    script: replies(callTool("add", { a: 1, b: 2 }, "c1"), text("It is 3.")),
  });
  const tab = await connect();
  const id = tab.request([userMessage("1 + 2?")]);
  await tab.waitFor(({ body }) => body?.includes("tool-input-available") ?? false);
  tab.toolResult({ toolCallId: "c1", toolName: "add", output: 1000 });
  const { message } = await tab.waitForType("cf_agent_message_updated");
  expect(callsIn(message ? [message] : [])).toMatchObject({ c1: { state: "input-available" } });
  gate.resolve();
  await tab.ended(id);
  expect(callsIn(await stored(agent))).toMatchObject({ c1: { state: "output-available", output: 3 } });
});

test("T284, T316, T323, P6, C21: an opted-in result continues the answer, for every tab, and each frame says so", async () => {
  const heard: ChatResponseResult[] = [];
  const continuations: (boolean | undefined)[] = [];
  const { tab, other, id, modelCalls } = await called(replies(callOf("c1"), text("It says a page.")), {
    onChatResponse: (result) => void heard.push(result),
    beforeTurn: ({ continuation }) => void continuations.push(continuation),
  });
  tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  const end = await other.waitFor(isEndOfContinuation);
  expect(end).toMatchObject({ body: "", outcome: "completed" });
  expect(end.id).not.toBe(id);
  const continuation = end.id ?? "";
  expect(other.framesOf(continuation).every((frame) => frame.continuation === true)).toBe(true);
  expect(other.textOf(continuation)).toBe("It says a page.");
  await tab.ended(continuation);
  expect(await modelCalls()).toBe(2);
  expect(continuations).toEqual([false, true]);
  await expect
    .poll(() => heard)
    .toMatchObject([
      { requestId: id, continuation: false },
      { requestId: continuation, continuation: true, status: "completed" },
    ]);
});

test("W10: a continuation is shown in the message it continues: one answer, under its first id", async () => {
  const { tab, fetch, agent, id } = await called(replies(callOf("c1"), text("It says a page.")));
  const [start] = tab.chunksOf(id);
  tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  const shown = tab.ofType("cf_agent_chat_messages").at(-1)?.messages ?? [];
  expect(shown.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(start).toMatchObject({ messageId: shown[1]?.id });
  expect(callsIn(shown)).toMatchObject({ c1: { output: "a page" } });
  expect(shown[1]?.parts).toContainEqual(expect.objectContaining({ type: "text", text: "It says a page." }));
  expect(await (await fetch("get-messages")).json()).toEqual(shown);
  expect((await stored(agent)).length).toBeGreaterThanOrEqual(2);
});

test("a client that sends the merged answer back with its next question makes no new rows of it", async () => {
  const { tab, agent } = await called(replies(callOf("c1"), text("It says a page."), text("next")));
  tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  const rows = (await stored(agent)).length;
  const shown = tab.ofType("cf_agent_chat_messages").at(-1)?.messages ?? [];
  await tab.ended(tab.request([...shown, userMessage("and?", "u2")]));
  expect(await stored(agent)).toHaveLength(rows + 2);
  const after = tab.ofType("cf_agent_chat_messages").at(-1)?.messages ?? [];
  expect(after.slice(0, -2)).toEqual(shown);
});

test("T285: without opting in there is no continuation", async () => {
  const { tab, modelCalls } = await called(replies(callOf("c1"), text("never")));
  tab.toolResult(resultOf("c1"));
  await tab.waitForType("cf_agent_message_updated");
  await quietTime();
  expect(await modelCalls()).toBe(1);
});

test("T303: a lone error without opting in does not continue either", async () => {
  const { tab, modelCalls } = await called(replies(callOf("c1"), text("never")));
  tab.toolResult({ toolCallId: "c1", toolName: "browse", state: "output-error", autoContinue: false });
  await tab.waitForType("cf_agent_message_updated");
  await quietTime();
  expect(await modelCalls()).toBe(1);
});

test("FR-57, T292, T293, T297: of two calls, one continuation follows, after both, and its prompt has both results", async () => {
  const wired = await called(replies(callTools(callOf("c1"), callOf("c2")), text("both")));
  const { tab, modelCalls, agent } = wired;
  tab.toolResult({ ...resultOf("c1", "one"), autoContinue: true });
  await tab.waitForType("cf_agent_message_updated");
  await quietTime();
  expect(await modelCalls()).toBe(1);
  tab.toolResult({ ...resultOf("c2", "two"), autoContinue: true });
  tab.toolResult({ ...resultOf("c2", "again"), autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  await quietTime();
  expect(await modelCalls()).toBe(2);
  expect(await lastPromptResults(wired)).toEqual(["c1", "c2"]);
  expect(callsIn(await stored(agent))).toMatchObject({ c1: { output: "one" }, c2: { output: "two" } });
});

test("T321, T297: results that come at once, from two tabs and in any order, continue once", async () => {
  const wired = await called(replies(callTools(callOf("c1"), callOf("c2"), callOf("c3")), text("all")));
  const { tab, other, modelCalls } = wired;
  tab.toolResult({ ...resultOf("c3"), autoContinue: true });
  other.toolResult({ ...resultOf("c1"), autoContinue: true });
  tab.toolResult({ ...resultOf("c2"), autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  await quietTime();
  expect(await modelCalls()).toBe(2);
  expect((await lastPromptResults(wired)).toSorted()).toEqual(["c1", "c2", "c3"]);
});

test("T302, C19: an error of the last sibling completes the batch that another result armed", async () => {
  const { tab, modelCalls } = await called(replies(callTools(callOf("c1"), callOf("c2")), text("so be it")));
  tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  tab.toolResult({ toolCallId: "c2", toolName: "browse", state: "output-error", autoContinue: false });
  await tab.waitFor(isEndOfContinuation);
  expect(await modelCalls()).toBe(2);
});

test("T301: an agent that waits for the rest of a batch is not stable", async () => {
  const { tab, inside } = await called(replies(callTools(callOf("c1"), callOf("c2")), text("both")));
  tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await tab.waitForType("cf_agent_message_updated");
  expect(await inside((agent) => agent.stable(0))).toBe(false);
  tab.toolResult({ ...resultOf("c2"), autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  await expect.poll(() => inside((agent) => agent.stable(0))).toBe(true);
});

test("T304: after a restart in the middle of a batch, the next result still continues", async () => {
  const { tab, other, restart } = await called(replies(callTools(callOf("c1"), callOf("c2")), text("both")));
  tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await tab.waitForType("cf_agent_message_updated");
  await tab.caughtUp();
  await restart();
  other.toolResult({ ...resultOf("c2"), autoContinue: true });
  await other.waitFor(isEndOfContinuation);
  expect(other.frames.filter(isEndOfContinuation)).toHaveLength(1);
});

test("T315: what a result made of its call is still so after a restart", async () => {
  const { tab, restart, connect } = await called(() => callOf("c1"));
  tab.toolResult(resultOf("c1"));
  await tab.waitForType("cf_agent_message_updated");
  await restart();
  const back = await connect();
  const { messages } = await back.waitForType("cf_agent_chat_messages");
  expect(callsIn(messages ?? [])).toMatchObject({ c1: { output: "a page" } });
});

/** A first answer that calls the browser's tool, waits, and goes on; and the tab that sees the call. */
async function calledMidStream(rest: Reply["steps"], ...later: Reply[]) {
  const gate = Promise.withResolvers<void>();
  const first: Reply = { steps: [...callOf("c1").steps.slice(0, -1), gate.promise, ...rest] };
  const agent = await wire({ script: replies(first, ...later) });
  const tab: WireClient = await agent.connect();
  const id = tab.request([userMessage("go")], { clientTools: [browse] });
  await tab.waitFor(({ body }) => body?.includes("tool-input-available") ?? false);
  return { ...agent, tab, id, open: gate.resolve, modelCalls: () => agent.inside(({ model }) => model.calls.length) };
}

test("T294, T296, C8: a result that comes while the answer still streams is taken in, and kept when it is stored", async () => {
  const { agent, tab, id, open } = await calledMidStream(callOf("c1").steps.slice(-1));
  tab.toolResult(resultOf("c1"));
  const { message } = await tab.waitForType("cf_agent_message_updated");
  expect(callsIn(message ? [message] : [])).toMatchObject({ c1: { output: "a page" } });
  open();
  await tab.ended(id);
  expect(callsIn(await stored(agent))).toMatchObject({ c1: { state: "output-available", output: "a page" } });
});

test("T307: a batch that is complete before the stream ends continues once, when it has ended", async () => {
  const { tab, id, open, modelCalls } = await calledMidStream(callOf("c1").steps.slice(-1), text("on"));
  tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await tab.waitForType("cf_agent_message_updated");
  await quietTime();
  expect(await modelCalls()).toBe(1);
  open();
  await tab.ended(id);
  await tab.waitFor(isEndOfContinuation);
  await quietTime();
  expect(await modelCalls()).toBe(2);
});

test("T306, T308: a sibling that is called later in the stream, and answered after it, is waited for", async () => {
  const { agent, tab, id, open, modelCalls } = await calledMidStream(callOf("c2").steps, text("both"));
  tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await tab.waitForType("cf_agent_message_updated");
  open();
  await tab.ended(id);
  await quietTime();
  expect(await modelCalls()).toBe(1);
  expect(callsIn(await stored(agent))).toMatchObject({ c2: { state: "input-available" } });
  tab.toolResult({ ...resultOf("c2"), autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  expect(await modelCalls()).toBe(2);
});

test("T299: a tool of the server that is done at once does not continue past the one that a person must answer", async () => {
  const wired = await called(replies(callTools(callTool("add", { a: 1, b: 2 }, "s1"), callOf("c1")), text("both")), {
    tools: { add: addTool },
  });
  await quietTime();
  expect(await wired.modelCalls()).toBe(1);
  wired.tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await wired.tab.waitFor(isEndOfContinuation);
  expect(await wired.modelCalls()).toBe(2);
  expect((await lastPromptResults(wired)).toSorted()).toEqual(["c1", "s1"]);
});

test("T311: a result can bring the tools along for what follows", async () => {
  const tools: string[][] = [];
  const { tab } = await called(replies(callOf("c1"), text("on")), {
    beforeTurn: (context) => void tools.push(Object.keys(context.tools)),
  });
  tab.toolResult({ ...resultOf("c1"), autoContinue: true, clientTools: [clientTool("print")] });
  await tab.waitFor(isEndOfContinuation);
  expect(tools[1]).toContain("print");
});

test("T313, P20: a request without the field keeps the tools that are known; an empty list forgets them", async () => {
  const tools: boolean[] = [];
  const { tab } = await called(replies(text("fine")), {
    beforeTurn: (context) => void tools.push("browse" in context.tools),
  });
  await tab.ended(tab.request([userMessage("two")]));
  await tab.ended(tab.request([userMessage("three")], { clientTools: [] }));
  await tab.ended(tab.request([userMessage("four")]));
  expect(tools).toEqual([true, true, false, false]);
});

test("decision 16, W7: each waiting request has the tools that it brought", async () => {
  const tools: string[][] = [];
  const gate = Promise.withResolvers<void>();
  const { connect } = await wire({
    script: replies(textAround("a", gate.promise, "b"), text("next")),
    beforeTurn: (context) =>
      void tools.push(Object.keys(context.tools).filter((name) => ["browse", "print"].includes(name))),
  });
  const tab = await connect();
  const first = tab.request([userMessage("one")], { clientTools: [browse] });
  await tab.said(first, "a");
  const second = tab.request([userMessage("two")], { clientTools: [browse] });
  const third = tab.request([userMessage("three")], { clientTools: [clientTool("print")] });
  await tab.caughtUp();
  gate.resolve();
  await Promise.all([second, third].map((id) => tab.ended(id)));
  expect(tools).toEqual([["browse"], ["browse"], ["print"]]);
});

test("C21: a continuation has the body of the turn it continues", async () => {
  const bodies: unknown[] = [];
  const { connect } = await wire({
    script: replies(callOf("c1"), text("on")),
    beforeTurn: ({ body }) => void bodies.push(body),
  });
  const tab = await connect();
  await tab.ended(tab.request([userMessage("go")], { clientTools: [browse], body: { tone: "dry" } }));
  tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  expect(bodies).toEqual([{ tone: "dry" }, { tone: "dry" }]);
});

test("T317, T319, P49: asked right behind a result, the agent says wait, then streams the continuation to the one who asked", async () => {
  const { tab } = await called(replies(callOf("c1"), text("It says a page.")));
  tab.follow();
  tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  const answer = await tab.resume();
  expect(["cf_agent_stream_pending", "cf_agent_stream_resuming"]).toContain(answer.type);
  const end = await tab.waitFor((frame) => frame.done === true && frame.continuation === true);
  expect(tab.ofType("cf_agent_stream_resume_none")).toEqual([]);
  const shown = [`assistant: ${tab.textOf(end.id ?? "")}`, ...tab.transcript];
  expect(shown.some((line) => line.endsWith("It says a page."))).toBe(true);
});

test("T320: after the continuation there is nothing to resume, and the answer is to this question", async () => {
  const { tab } = await called(replies(callOf("c1"), text("on")));
  tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  await tab.caughtUp();
  expect(await tab.resume("p9")).toEqual({ type: "cf_agent_stream_resume_none", reason: "idle", probeId: "p9" });
});

test("P49: a tab that did not start the continuation is not given it to resume, while the one that did is there", async () => {
  const gate = Promise.withResolvers<void>();
  const { tab, other } = await called(replies(callOf("c1"), textAround("half", gate.promise, " whole")));
  tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  const { id = "" } = await other.waitFor(({ continuation }) => continuation === true);
  await other.said(id, "half");
  expect(await other.resume()).toMatchObject({ type: "cf_agent_stream_resume_none", reason: "continuation-owned" });
  gate.resolve();
  await other.ended(id);
  expect(other.textOf(id)).toBe("half whole");
});

test("T318, C22: the continuation also comes when the tab that asked for it has gone, and another can resume it", async () => {
  const gate = Promise.withResolvers<void>();
  const { tab, other, connect } = await called(replies(callOf("c1"), textAround("half", gate.promise, " whole")));
  tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await tab.waitForType("cf_agent_message_updated");
  tab.close();
  const { id = "" } = await other.waitFor(({ continuation }) => continuation === true);
  await other.said(id, "half");

  const back = await connect();
  await back.waitFor((frame) => frame.type === "cf_agent_stream_resuming" && frame.id === id);
  back.ack(id);
  await back.waitFor(({ replayComplete }) => replayComplete === true);
  expect(back.framesOf(id).every(({ continuation }) => continuation === true)).toBe(true);
  gate.resolve();
  await back.ended(id);
  expect(back.textOf(id)).toBe("half whole");
  expect(back.framesOf(id).filter(({ done }) => done)).toHaveLength(1);
});
