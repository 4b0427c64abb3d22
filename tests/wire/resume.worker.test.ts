import { expect, test } from "vitest";
import { callTool, stall, streamError, text } from "../../src/testing/index.ts";
import { heldReply, replies } from "../support/scripts.ts";
import { userMessage } from "../support/test-agent.ts";
import { chunkOf, shownTranscript, type WireClient } from "./support/client.ts";
import { addTool } from "./support/tools.ts";
import { stored, wire } from "./support/wire.ts";

/** Numbers of the chunks of a request, in the order they came. */
const numbersOf = (tab: WireClient, id: string): (number | undefined)[] =>
  tab
    .framesOf(id)
    .filter((frame) => chunkOf(frame).length > 0)
    .map(({ seq }) => seq);

const upTo = (end: number): number[] => Array.from({ length: end }, (_, index) => index);

test("P49, P52, FR-63: who asks in the middle gets what was said, marked as a replay, then what comes, and one end", async () => {
  const held = heldReply();
  const { connect } = await wire({ script: held.script });
  const first = await connect();
  const id = first.request([userMessage("Hi")]);
  await first.said(id, "before");

  const second = await connect();
  expect(await second.resume("p1")).toEqual({ type: "cf_agent_stream_resuming", id, probeId: "p1" });
  second.ack(id);
  const complete = await second.waitFor(({ replayComplete }) => replayComplete === true);
  expect(complete).toMatchObject({ id, body: "", done: false, replay: true });
  const replayed = second.framesOf(id).slice(0, -1);
  expect(replayed.every(({ replay, done }) => replay === true && done === false)).toBe(true);
  expect(second.textOf(id)).toBe("before ");

  held.open();
  await second.ended(id);
  await second.caughtUp();
  expect(second.textOf(id)).toBe("before after");
  expect(numbersOf(second, id)).toEqual(numbersOf(first, id));
  expect(second.framesOf(id).filter(({ done }) => done)).toHaveLength(1);
  expect(second.framesOf(id).at(-1)).toMatchObject({ done: true, outcome: "completed" });
  expect(second.transcript).toEqual(["user: Hi", "assistant: before after"]);
});

test("P27, FR-63: who was told of a stream gets nothing of it until it says that it is ready", async () => {
  const held = heldReply();
  const { connect } = await wire({ script: held.script });
  const first = await connect();
  const id = first.request([userMessage("Hi")]);
  await first.said(id, "before");
  const second = await connect();
  await second.resume();
  held.open();
  await first.said(id, "after");
  await second.caughtUp();
  expect(second.framesOf(id).filter((frame) => chunkOf(frame).length > 0)).toEqual([]);
});

test("FR-63, P51, P56: who asks twice, and says twice that it is ready, still shows each chunk once", async () => {
  const held = heldReply();
  const { agent, connect } = await wire({ script: held.script });
  const first = await connect();
  const id = first.request([userMessage("Hi")]);
  await first.said(id, "before");
  const second = await connect();
  await second.resume();
  await second.resume();
  second.ack(id);
  second.ack(id);
  await second.said(id, "before");
  held.open();
  await second.ended(id);
  await second.caughtUp();
  expect(second.textOf(id)).toBe("before after");
  expect(second.framesOf(id).filter(({ done }) => done)).toHaveLength(1);
  expect(shownTranscript(await stored(agent)).at(-1)).toBe("assistant: before after");
});

test("FR-63: the tab that asked can come back by itself, with a new socket", async () => {
  const held = heldReply();
  const { connect } = await wire({ script: held.script });
  const before = await connect();
  const id = before.request([userMessage("Hi")]);
  await before.said(id, "before");
  before.close();
  const back = await connect();
  await back.waitForType("cf_agent_stream_resuming");
  back.ack(id);
  await back.said(id, "before");
  held.open();
  await back.ended(id);
  expect(back.textOf(id)).toBe("before after");
  expect(numbersOf(back, id)).toEqual(upTo(numbersOf(back, id).length));
});

test("FR-63: whenever tabs come, and however late or often they say that they are ready, each shows the whole answer", async () => {
  const gates = Array.from({ length: 12 }, () => Promise.withResolvers<void>());
  const whole = gates.map((_, index) => `${index} `).join("");
  const { connect } = await wire({
    script: () => {
      const [begin, , end, finish] = text("").steps;
      const middle = gates.flatMap(({ promise }, index) => [
        promise,
        { type: "text-delta" as const, id: "1", delta: `${index} ` },
      ]);
      return { steps: [begin, ...middle, end, finish].filter((step) => step !== undefined) };
    },
  });
  const first = await connect();
  const id = first.request([userMessage("count", "u1")]);
  await first.waitForType("cf_agent_use_chat_response");
  const tabs: WireClient[] = [];
  for (const [index, gate] of gates.entries()) {
    const tab = await connect();
    tabs.push(tab);
    if (index % 3 === 1) await tab.resume();
    if (index % 3 !== 2) tab.ack(id);
    // Those that come third, and those three before, are ready only now; some for the second time.
    tabs[index - 3]?.ack(id);
    gate.resolve();
    await first.said(id, `${index} `);
  }
  for (const tab of tabs) if (tab.framesOf(id).length === 0) tab.ack(id);
  await Promise.all([first, ...tabs].map((tab) => tab.ended(id)));
  for (const tab of [first, ...tabs]) {
    await tab.caughtUp();
    const isLate = tab.textOf(id) === "";
    expect(isLate ? tab.transcript.at(-1) : `assistant: ${tab.textOf(id)}`).toBe(`assistant: ${whole}`);
    expect(tab.framesOf(id).filter(({ done }) => done)).toHaveLength(1);
    const seen = [...new Set(numbersOf(tab, id))];
    expect(seen).toEqual(upTo(seen.length));
  }
});

test("P53: to be ready for another stream than the active one does nothing", async () => {
  const held = heldReply();
  const { connect } = await wire({ script: held.script });
  const first = await connect();
  const id = first.request([userMessage("Hi")]);
  await first.said(id, "before");
  const second = await connect();
  await second.waitForType("cf_agent_stream_resuming");
  second.ack("another");
  await second.caughtUp();
  expect(second.framesOf("another")).toEqual([]);
  expect(second.framesOf(id)).toEqual([]);
  held.open();
  await first.ended(id);
});

test("T162, P55: a stream that ended before the client was ready ends for it too", async () => {
  const held = heldReply();
  const { connect } = await wire({ script: held.script });
  const first = await connect();
  const id = first.request([userMessage("Hi")]);
  await first.said(id, "before");
  const second = await connect();
  await second.waitForType("cf_agent_stream_resuming");
  held.open();
  await first.ended(id);
  await first.caughtUp();
  const from = second.frames.length;
  second.ack(id);
  expect(await second.ended(id, from)).toMatchObject({ done: true, replay: true });
  expect(second.transcript).toEqual(["user: Hi", "assistant: before after"]);
});

test("W5: ready just as the last chunk is out, a client shows the whole answer, by the replay or by the transcript", async () => {
  const held = heldReply();
  const { connect } = await wire({ script: held.script });
  const first = await connect();
  const id = first.request([userMessage("Hi")]);
  await first.said(id, "before");
  const second = await connect();
  await second.waitForType("cf_agent_stream_resuming");
  held.open();
  await first.waitFor((frame) => chunkOf(frame).some(({ type }) => type === "finish"));
  second.ack(id);
  await second.ended(id);
  await second.caughtUp();
  const shown = [`assistant: ${second.textOf(id)}`, second.transcript.at(-1)];
  expect(shown).toContain("assistant: before after");
});

test("P55: an end that nobody remembers is an end: who is ready for it does not wait", async () => {
  const { connect } = await wire();
  const tab = await connect();
  tab.ack("long-gone");
  expect(await tab.ended("long-gone")).toMatchObject({ done: true, replay: true });
});

test("T163, T166, P54: an error is kept for those who were away: what was said, then the error", async () => {
  const { connect } = await wire({ script: () => streamError("overloaded", "so far") });
  const first = await connect();
  const id = first.request([userMessage("Hi", "u1")]);
  await first.ended(id);

  const second = await connect();
  expect(await second.resume("p1")).toEqual({ type: "cf_agent_stream_resuming", id, probeId: "p1" });
  second.ack(id);
  expect(await second.ended(id)).toMatchObject({ body: "overloaded", done: true, error: true, messageIds: ["u1"] });
  expect(second.textOf(id)).toBe("so far");
});

test("T181, FR-64: an error before the stream is kept too, and over a restart", async () => {
  const { connect, restart } = await wire({
    beforeTurn: () => {
      throw new Error("no budget");
    },
  });
  const first = await connect();
  const id = first.request([userMessage("Hi", "u1")]);
  await first.ended(id);
  first.close();
  await restart();

  const second = await connect();
  expect(await second.resume()).toMatchObject({ type: "cf_agent_stream_resuming", id });
  second.ack(id);
  expect(await second.ended(id)).toMatchObject({ body: "no budget", error: true });
});

test("T165: the next request drops the kept error before it streams", async () => {
  const gate = Promise.withResolvers<void>();
  let turns = 0;
  const { connect } = await wire({
    script: replies(streamError("overloaded"), text("fine")),
    beforeTurn: () => ((turns += 1) === 2 ? gate.promise : undefined),
  });
  const tab = await connect();
  await tab.ended(tab.request([userMessage("one")]));
  tab.follow();
  const second = tab.request([userMessage("two")]);
  expect(await tab.resume()).toMatchObject({ type: "cf_agent_stream_pending" });
  gate.resolve();
  await tab.ended(second);
  expect(await tab.resume()).toMatchObject({ type: "cf_agent_stream_resume_none", reason: "idle" });
});

test("P49, P50: who asks before the turn streams is asked to wait, and told when it does", async () => {
  const gate = Promise.withResolvers<void>();
  const held = heldReply();
  const { connect } = await wire({ beforeTurn: () => gate.promise, script: held.script });
  const first = await connect();
  const id = first.request([userMessage("Hi")]);
  const second = await connect();
  expect(await second.resume("p1")).toMatchObject({ type: "cf_agent_stream_pending", probeId: "p1" });
  gate.resolve();
  await second.waitFor((frame) => frame.type === "cf_agent_stream_resuming" && frame.id === id);
  second.ack(id);
  await second.said(id, "before");
  held.open();
  await second.ended(id);
  expect(second.textOf(id)).toBe("before after");
});

test("P50: who waits for a turn that is dropped before it streams is told that there is nothing", async () => {
  const gate = Promise.withResolvers<void>();
  const { connect } = await wire({ beforeTurn: () => gate.promise });
  const first = await connect();
  first.request([userMessage("Hi")]);
  const second = await connect();
  expect(await second.resume()).toMatchObject({ type: "cf_agent_stream_pending" });
  first.clear();
  await second.waitForType("cf_agent_stream_resume_none");
  gate.resolve();
});

test("W9, decision 2: a turn that a crash cut off goes on, and who comes back sees it to its end", async () => {
  const { connect, crash } = await wire({ script: replies(stall("cut "), text("whole")) });
  const before = await connect();
  const id = before.request([userMessage("Hi", "u1")]);
  await before.said(id, "cut");
  await crash();

  const back = await connect().catch(() => connect());
  back.follow();
  await expect.poll(() => back.transcript).toEqual(["user: Hi", expect.stringMatching(/^assistant: .*whole$/)]);
  await expect.poll(() => back.framesOf(id).at(-1)?.done ?? true).toBe(true);
  expect(back.framesOf(id).at(-1)?.outcome ?? "completed").toBe("completed");
});

test("FR-64: a turn that cannot go on after a crash fails, and who comes back learns why", async () => {
  const gate = Promise.withResolvers<void>();
  const { connect, crash } = await wire({
    tools: { add: { ...addTool, execute: () => gate.promise } },
    script: replies(callTool("add", { a: 1, b: 2 }), text("never")),
  });
  const before = await connect();
  const id = before.request([userMessage("Hi", "u1")]);
  await before.waitFor((frame) => chunkOf(frame).some(({ type }) => type === "tool-input-available"));
  await crash();

  const back = await connect().catch(() => connect());
  await expect.poll(async () => (await back.resume()).type).toBe("cf_agent_stream_resuming");
  back.ack(id);
  const end = await back.ended(id);
  expect(end).toMatchObject({ error: true });
  expect(end.body).toContain("interrupted");
});
