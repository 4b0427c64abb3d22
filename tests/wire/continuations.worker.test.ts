import { expect, test } from "vitest";
import type { ChatResponseResult } from "../../src/index.ts";
import { callTool, type Reply, text, textAround } from "../../src/testing/index.ts";
import { replies } from "../support/scripts.ts";
import { userMessage } from "../support/test-agent.ts";
import { callTools } from "../support/turn-probes.ts";
import { browse, called, calledMidStream, callOf, lastPromptResults, resultOf } from "./support/browser-tool.ts";
import { callsIn, isEndOfContinuation, quietTime } from "./support/calls.ts";
import { addTool, clientTool } from "./support/tools.ts";
import { stored, wire } from "./support/wire.ts";

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

test("C20, W10: a continuation that calls the browser again is continued again, and it is all one answer to look at", async () => {
  const wired = await called(replies(callOf("c1"), callOf("c2"), text("Both pages.")));
  const { tab, modelCalls } = wired;
  tab.toolResult({ ...resultOf("c1", "one"), autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  const from = tab.frames.length;
  tab.toolResult({ ...resultOf("c2", "two"), autoContinue: true });
  await tab.waitFor(isEndOfContinuation, from);
  expect(await modelCalls()).toBe(3);
  expect(await lastPromptResults(wired)).toEqual(["c1", "c2"]);
  const shown = tab.ofType("cf_agent_chat_messages").at(-1)?.messages ?? [];
  expect(shown.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(callsIn(shown)).toMatchObject({ c1: { output: "one" }, c2: { output: "two" } });
});

test("C20: a result that comes while the continuation still streams is continued when that has ended", async () => {
  const gate = Promise.withResolvers<void>();
  const second: Reply = { steps: [...callOf("c2").steps.slice(0, -1), gate.promise, ...callOf("c2").steps.slice(-1)] };
  const { tab, modelCalls } = await called(replies(callOf("c1"), second, text("Both pages.")));
  tab.follow();
  tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  const { id = "" } = await tab.waitFor(({ continuation, body }) => continuation === true && !!body?.includes("c2"));
  tab.toolResult({ ...resultOf("c2"), autoContinue: true });
  await quietTime();
  expect(await modelCalls()).toBe(2);
  gate.resolve();
  await tab.ended(id);
  await tab.waitFor((frame) => isEndOfContinuation(frame) && frame.id !== id);
  expect(await modelCalls()).toBe(3);
});
