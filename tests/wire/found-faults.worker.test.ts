// What a breaker found, each once more.
import { tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { callTool, empty, type Reply, stall, streamError, text, textAround } from "../../src/testing/index.ts";
import { heldReply, replies } from "../support/scripts.ts";
import { finalAnswer, promptOf } from "../support/structured-turn.ts";
import { userMessage } from "../support/test-agent.ts";
import { callTools } from "../support/turn-probes.ts";
import { browse, called, calledMidStream, callOf, resultOf } from "./support/browser-tool.ts";
import { callsIn, isEndOfContinuation, quietTime } from "./support/calls.ts";
import { shownTranscript } from "./support/client.ts";
import { clientTool, guardedTool } from "./support/tools.ts";
import { wire } from "./support/wire.ts";
import type { WireAgent } from "./support/wire-agent.ts";
import type { UIMessage } from "ai";

type Wired = Pick<Awaited<ReturnType<typeof wire>>, "inside">;
/** Not by the first stub: a crash breaks that one. */
const stored = (wired: Wired) => wired.inside((agent) => agent.getMessages()) as Promise<UIMessage[]>;
const calls = (wired: Wired) => wired.inside(({ model }) => model.calls.length);
const ends = (frames: readonly { done?: boolean }[]) => frames.filter(({ done }) => done);
const never = (): Promise<never> => new Promise(() => {});
const removal = (toolCallId: string): Reply => callTool("remove", { path: `/${toolCallId}` }, toolCallId);
const cutOff = ({ steps }: Reply): Reply => ({ steps: [...steps.slice(0, -1), never()] });
const add = tool({ inputSchema: z.object({}), execute: () => 3 });

async function approvedAndCrashed(execute: () => unknown, second: Reply) {
  let runs = 0;
  const agent = await wire({
    script: replies(removal("c1"), second, text("later")),
    tools: { remove: guardedTool(() => ((runs += 1), execute())) },
  });
  const tab = await agent.connect();
  await tab.ended(tab.request([userMessage("clean up", "u1")]));
  tab.approve({ toolCallId: "c1", approved: true, autoContinue: true });
  await expect.poll(() => runs).toBe(1);
  await scheduler.wait(1200);
  await agent.crash();
  // The alarm's work, and then somebody comes.
  await agent.inside(() => scheduler.wait(300));
  await agent.connect();
  await scheduler.wait(300);
  return { agent, runs: () => runs };
}

test("1a: an approved tool that was cut off by a crash is not run again when somebody connects", async () => {
  const { runs } = await approvedAndCrashed(never, text("x"));
  expect(runs()).toBe(1);
});

test("1b: an approved tool that was done before the crash is not run again", async () => {
  const { runs } = await approvedAndCrashed(() => "removed", stall());
  expect(runs()).toBe(1);
});

test("1c: a server's tool that a continuation had started is not run again after a crash", async () => {
  let runs = 0;
  const pay = tool({ inputSchema: z.object({}), execute: (): Promise<unknown> => ((runs += 1), never()) });
  const agent = await called(replies(callOf("c1"), callTool("pay", {}, "p1"), callTool("pay", {}, "p2")), {
    tools: { pay },
  });
  agent.tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await expect.poll(() => runs).toBe(1);
  await scheduler.wait(50);
  await agent.crash();
  await agent.inside(() => scheduler.wait(300));
  await agent.connect();
  await scheduler.wait(300);
  expect(runs).toBe(1);
});

test("1d: a continuation that was cancelled does not come back at the next wake", async () => {
  let runs = 0;
  const agent = await wire({
    script: replies(removal("c1"), text("done")),
    tools: { remove: guardedTool(() => ((runs += 1), never())) },
  });
  const tab = await agent.connect();
  await tab.ended(tab.request([userMessage("clean up", "u1")]));
  tab.approve({ toolCallId: "c1", approved: true, autoContinue: true });
  const { id = "" } = await tab.waitFor(({ continuation }) => continuation === true);
  await expect.poll(() => runs).toBe(1);
  tab.cancel(id);
  expect(await tab.ended(id)).toMatchObject({ outcome: "aborted" });
  await agent.restart();
  await agent.connect();
  await scheduler.wait(300);
  expect(runs).toBe(1);
});

test.for([
  ["failed", streamError("boom")],
  ["said nothing", empty()],
] as const)("1e: a continuation that %s is not made again by every wake", async ([, reply]) => {
  const agent = await called(replies(callOf("c1"), reply));
  agent.tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await agent.tab.waitFor(isEndOfContinuation);
  for (let wake = 0; wake < 2; wake += 1) {
    await agent.restart();
    await agent.connect();
    await scheduler.wait(200);
    expect(await calls(agent)).toBe(0);
  }
});

test("2: what an approved tool gave before a crash is kept with the rest that is kept", async () => {
  const { agent } = await approvedAndCrashed(() => "removed", stall("said"));
  expect(shownTranscript(await stored(agent))).toContain("assistant: said");
  expect(callsIn(await stored(agent))).toMatchObject({ c1: { state: "output-available", output: "removed" } });
});

test("3: a client's result that was taken mid-stream survives the crash that ends the turn", async () => {
  const agent = await wire({ script: replies(callTool("add", {}, "s1"), cutOff(callOf("c1"))), tools: { add } });
  const tab = await agent.connect();
  tab.request([userMessage("go", "u1")], { clientTools: [browse] });
  await tab.waitFor(({ body }) => (body?.includes("tool-input-available") && body.includes("c1")) ?? false);
  tab.toolResult(resultOf("c1"));
  await tab.waitForType("cf_agent_message_updated");
  await scheduler.wait(1200);
  await agent.crash();
  await agent.inside(() => scheduler.wait(300));
  expect(callsIn(await stored(agent))).toMatchObject({ s1: { state: "output-available" }, c1: { output: "a page" } });
});

test("4: who is there when a cut-off turn is given up is shown the part that was kept", async () => {
  const agent = await wire({ script: replies(callTool("add", {}, "s1"), stall("later")), tools: { add } });
  const tab = await agent.connect();
  const id = tab.request([userMessage("one", "u1")]);
  await tab.said(id, "later");
  await scheduler.wait(1200);
  await agent.crash();
  const back = await agent.connect();
  expect(await back.ended(id)).toMatchObject({ outcome: "error" });
  await quietTime();
  expect(shownTranscript(await stored(agent))).toEqual(["user: one", "assistant: later"]);
  expect(back.transcript).toEqual(["user: one", "assistant: later"]);
});

test("5a: a continuation behind a question that waited does not answer a second time", async () => {
  const agent = await calledMidStream(text(" rest").steps, text("answer B"), text("unwanted"));
  const b = agent.tab.request([userMessage("B", "b")]);
  await agent.tab.caughtUp();
  agent.tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await agent.tab.caughtUp();
  agent.open(undefined);
  await agent.tab.ended(b);
  await quietTime();
  expect(await agent.modelCalls()).toBe(2);
});

test.for(["submit-message", "regenerate-message"] as const)(
  "5b: a half answered batch that somebody moved on from, by %s, starts nothing after the next answer",
  async (trigger) => {
    const agent = await called(replies(callTools(callOf("c1"), callOf("c2")), text("B"), text("unwanted")));
    agent.tab.toolResult({ ...resultOf("c1"), autoContinue: true });
    await agent.tab.waitForType("cf_agent_message_updated");
    const asked = trigger === "submit-message" ? [userMessage("B", "u2")] : [userMessage("go", "u1")];
    await agent.tab.ended(agent.tab.request(asked, { trigger }));
    await quietTime();
    expect(await agent.modelCalls()).toBe(2);
  },
);

test.for(["tab.cancel", "cancelAllChats"] as const)("5c, C27: stop (%s) also stops what was to go on", async (how) => {
  const agent = await calledMidStream([never()], text("unwanted"));
  agent.tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await agent.tab.waitForType("cf_agent_message_updated");
  if (how === "tab.cancel") agent.tab.cancel(agent.id);
  else await agent.inside((inside) => inside.cancelAllChats());
  expect(await agent.tab.ended(agent.id)).toMatchObject({ outcome: "aborted" });
  await quietTime();
  expect(await agent.modelCalls()).toBe(1);
});

/** A tab that was told of an answer and did not say that it is ready: the hook with `resume: false` never does. */
async function toldOnly() {
  const held = heldReply();
  const agent = await wire({ script: held.script });
  const tab = await agent.connect();
  const id = tab.request([userMessage("A")]);
  await tab.said(id, "before");
  const late = await agent.connect();
  await late.waitForType("cf_agent_stream_resuming");
  held.open();
  await tab.ended(id);
  return { agent, tab, late, id };
}

test("6a: a tab that never says it is ready still gets the answer to its own question", async () => {
  const { late } = await toldOnly();
  const own = late.request([userMessage("mine")]);
  expect(await late.ended(own)).toMatchObject({ outcome: "completed" });
});

test("6b: and the later answers to the others'", async () => {
  const { tab, late } = await toldOnly();
  const next = tab.request([userMessage("B")]);
  await tab.ended(next);
  expect(await late.ended(next)).toMatchObject({ outcome: "completed" });
});

test("6c: between the offer of an answer and its acknowledgement, ends of other requests are not lost", async () => {
  const held = heldReply();
  const agent = await wire({ script: held.script });
  const tab = await agent.connect();
  const a = tab.request([userMessage("A")]);
  await tab.said(a, "before");
  const late = await agent.connect();
  await late.waitForType("cf_agent_stream_resuming");
  const own = late.request([userMessage("B")]);
  await late.caughtUp();
  late.cancel(own);
  await tab.ended(own);
  late.ack(a);
  held.open();
  expect(await late.ended(a)).toMatchObject({ outcome: "completed" });
  expect(await late.ended(own)).toMatchObject({ outcome: "aborted" });
});

test("7: ready for an answer that is over while the next streams: the next is shown whole, or not at all", async () => {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const script = replies(textAround("a1 ", first.promise, "a2"), textAround("b1 ", second.promise, "b2"));
  const { connect } = await wire({ script });
  const tab = await connect();
  const a = tab.request([userMessage("A")]);
  await tab.said(a, "a1");
  const late = await connect();
  await late.waitForType("cf_agent_stream_resuming");
  first.resolve();
  await tab.ended(a);
  const b = tab.request([userMessage("B")]);
  await tab.said(b, "b1");
  late.follow();
  await late.caughtUp();
  second.resolve();
  await tab.ended(b);
  await late.caughtUp();
  expect(["", "b1 b2"]).toContain(late.textOf(b));
});

test("9: no message of a client makes the agent unreachable", async () => {
  const deep = "[".repeat(50_000) + "]".repeat(50_000);
  const agent = await wire();
  const tab = await agent.connect();
  const send = (id: string, message: string) => {
    const init = { method: "POST", body: `{"messages":[${message}]}` };
    tab.send({ type: "cf_agent_use_chat_request", id, init });
    return tab.ended(id);
  };
  await send("one", `{"id":"m1","role":"user","parts":[{"type":"text","text":"x"},{"type":"data-x","data":${deep}}]}`);
  // A key that is a number sends JSON.stringify the slow way, which is recursive.
  await send("two", `{"id":"m2","role":"user","metadata":{"0":1},"parts":[{"type":"text","text":"y"}]}`);
  expect(await tab.ended(tab.request([userMessage("fine")]))).toMatchObject({ outcome: "completed" });
  await agent.restart();
  const back = await agent.connect();
  await quietTime();
  expect(back.socket.readyState).toBe(WebSocket.OPEN);
});

test("10: a request that is cancelled while it is being accepted has one end", async () => {
  const agent = await wire();
  const tab = await agent.connect();
  // What follows a commit (a compaction, say) holds the next acceptance up.
  await agent.inside((inside) => inside.sessions.subscribe(() => scheduler.wait(150)));
  await tab.ended(tab.request([userMessage("first")]));
  const id = tab.request([userMessage("second")]);
  tab.cancel(id);
  await tab.ended(id);
  await scheduler.wait(400);
  expect(ends(tab.framesOf(id))).toHaveLength(1);
});

test.for(["fails", "is cancelled"] as const)(
  "11: a regeneration that %s with nothing said gives the old answer back",
  async (how) => {
    const agent = await wire({ script: replies(text("first"), how === "fails" ? streamError("boom") : stall()) });
    const tab = await agent.connect();
    await tab.ended(tab.request([userMessage("Q", "u1")]));
    const id = tab.request([userMessage("Q", "u1")], { trigger: "regenerate-message" });
    if (how === "is cancelled") {
      await tab.waitFor((frame) => frame.id === id);
      tab.cancel(id);
    }
    await tab.ended(id);
    expect(tab.transcript).toEqual(["user: Q", "assistant: first"]);
  },
);

test("12: a result in the middle of a continuation leaves the earlier part of the answer on the screen", async () => {
  const gate = Promise.withResolvers<void>();
  const { steps } = callOf("c2");
  const agent = await called(
    replies(callOf("c1"), { steps: [...steps.slice(0, -1), gate.promise, ...steps.slice(-1)] }, text("end")),
  );
  agent.tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await agent.tab.waitFor(({ continuation, body }) => (continuation && body?.includes("c2")) ?? false);
  const from = agent.tab.frames.length;
  agent.tab.toolResult({ ...resultOf("c2"), autoContinue: true });
  const { message } = await agent.tab.waitForType("cf_agent_message_updated", from);
  gate.resolve();
  // The hook finds the shown message by its calls, and puts this one in its place.
  expect(Object.keys(callsIn(message ? [message] : []))).toEqual(["c1", "c2"]);
});

test("13: nothing of a structured turn's final answer is in message_updated either", async () => {
  const gate = Promise.withResolvers<void>();
  const { steps } = callTools(callTool("add", {}, "s1"), finalAnswer({ title: "secret" }));
  const agent = await wire({
    script: replies({ steps: [...steps.slice(0, -1), gate.promise, ...steps.slice(-1)] }),
    tools: { add },
  });
  const tab = await agent.connect();
  const { submissionId } = await agent.inside((inside: WireAgent) => inside._thinklog_submitPrompt(promptOf()));
  await tab.waitFor(({ body }) => body?.includes("tool-input-available") ?? false);
  await scheduler.wait(50);
  tab.toolResult({ toolCallId: "s1", toolName: "add", output: 9 });
  await tab.caughtUp();
  gate.resolve();
  await tab.ended(submissionId);
  expect(tab.frames.filter((frame) => /secret|think_final/.test(JSON.stringify(frame)))).toEqual([]);
});

test("14: tools that one tab brought with its result are not lost by another tab's result", async () => {
  const agent = await called(replies(callTools(callOf("c1"), callOf("c2")), text("B")));
  agent.tab.toolResult({ ...resultOf("c1"), autoContinue: true, clientTools: [browse, clientTool("extra")] });
  agent.other.toolResult({ ...resultOf("c2"), autoContinue: true });
  await agent.tab.waitFor(isEndOfContinuation);
  const offered = await agent.inside(({ model }) => model.doStreamCalls.at(-1)?.tools?.map(({ name }) => name));
  expect(offered).toContain("extra");
});

test("15: an approved tool that was started and cancelled is not said to have never run", async () => {
  let runs = 0;
  const agent = await wire({
    script: replies(removal("c1"), text("ok")),
    tools: { remove: guardedTool(() => ((runs += 1), never())) },
  });
  const tab = await agent.connect();
  await tab.ended(tab.request([userMessage("x", "u1")]));
  tab.approve({ toolCallId: "c1", approved: true, autoContinue: true });
  const { id = "" } = await tab.waitFor(({ continuation }) => continuation === true);
  await expect.poll(() => runs).toBe(1);
  tab.cancel(id);
  await tab.ended(id);
  await tab.ended(tab.request([userMessage("y", "u2")]));
  expect(JSON.stringify(callsIn(await stored(agent)))).not.toContain("did not run");
});

test("16: who clears while a question waits is not shown the old conversation again", async () => {
  const held = heldReply();
  const messageConcurrency = { strategy: "debounce", debounceMs: 500 } as const;
  const agent = await wire({ script: held.script, messageConcurrency });
  const tab = await agent.connect();
  const a = tab.request([userMessage("A", "a")]);
  await tab.said(a, "before");
  const b = tab.request([userMessage("B", "b")]);
  await tab.caughtUp();
  held.open();
  await tab.ended(a);
  const from = tab.frames.length;
  tab.clear();
  expect(await tab.ended(b)).toMatchObject({ outcome: "skipped" });
  await quietTime();
  expect(await stored(agent)).toEqual([]);
  expect(tab.frames.slice(from).findLast(({ messages }) => messages)?.messages ?? []).toEqual([]);
});
