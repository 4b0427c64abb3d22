import { expect, test } from "vitest";
import type { ChatResponseResult } from "../../src/index.ts";
import { text, textAround } from "../../src/testing/index.ts";
import { userMessage } from "../support/test-agent.ts";
import { shownTranscript } from "./support/client.ts";
import { clientTool } from "./support/tools.ts";
import { eventsOf, stored, wire } from "./support/wire.ts";
import type { MessageConcurrency } from "../../src/index.ts";
import type { WireSetup } from "./support/wire-agent.ts";

/** An agent whose first answer waits, with two tabs; the one has asked, and sees the first half of the answer. */
async function busy(messageConcurrency?: MessageConcurrency, setup: Partial<WireSetup> = {}) {
  const gate = Promise.withResolvers<void>();
  const heard: ChatResponseResult[] = [];
  const agent = await wire({
    script: ({ index }) => (index === 0 ? textAround("a1 ", gate.promise, "end") : text(`a${index + 1}`)),
    onChatResponse: (result) => void heard.push(result),
    ...(messageConcurrency && { messageConcurrency }),
    ...setup,
  });
  const [tab, other] = [await agent.connect(), await agent.connect()];
  const first = tab.request([userMessage("q1", "u1")]);
  await Promise.all([tab.said(first, "a1"), other.said(first, "a1")]);
  return {
    ...agent,
    tab,
    other,
    first,
    heard,
    open: gate.resolve,
    ask: async (content: string, id: string) => {
      const request = tab.request([userMessage(content, id)]);
      await tab.caughtUp();
      return request;
    },
    modelCalls: () => agent.inside(({ model }) => model.calls.length),
    lastPrompt: () => agent.inside(({ model }) => JSON.stringify(model.calls.at(-1)?.prompt)),
  };
}

test("T331, M3: by default overlapping requests are answered in the order they came", async () => {
  const { agent, tab, other, first, ask, open } = await busy();
  const second = await ask("q2", "u2");
  const third = other.request([userMessage("q3", "u3")]);
  await other.caughtUp();
  open();
  for (const each of [tab, other]) {
    for (const id of [first, second, third]) expect(await each.ended(id)).toMatchObject({ outcome: "completed" });
    expect([first, second, third].map((id) => each.textOf(id))).toEqual(["a1 end", "a2", "a3"]);
  }
  expect(shownTranscript(await stored(agent))).toEqual([
    "user: q1",
    "assistant: a1 end",
    "user: q2",
    "assistant: a2",
    "user: q3",
    "assistant: a3",
  ]);
});

test("a waiting question is at the end of what clients are shown, and enters the conversation when its turn begins", async () => {
  const { agent, other, connect, tab, first, ask, open } = await busy();
  const second = await ask("q2", "u2");
  await other.waitFor(({ messages }) => messages?.some(({ id }) => id === "u2") ?? false);
  expect(other.transcript.at(-1)).toBe("user: q2");
  expect(shownTranscript(await stored(agent))).not.toContain("user: q2");
  open();
  await tab.ended(first);
  const atFirstEnd = tab.ofType("cf_agent_chat_messages").findLast(({ messages }) => messages?.length === 3);
  expect(shownTranscript(atFirstEnd?.messages ?? [])).toEqual(["user: q1", "assistant: a1 end", "user: q2"]);
  await tab.ended(second);
  const late = await connect();
  await late.waitForType("cf_agent_chat_messages");
  expect(late.transcript).toEqual(["user: q1", "assistant: a1 end", "user: q2", "assistant: a2"]);
});

test("an earlier turn does not see the question that waits behind it", async () => {
  const gate = Promise.withResolvers<void>();
  const { agent, connect, inside } = await wire({
    beforeTurn: () => gate.promise,
    script: ({ index }) => text(`a${index + 1}`),
  });
  const tab = await connect();
  const first = tab.request([userMessage("q1", "u1")]);
  await tab.caughtUp();
  const second = tab.request([userMessage("q2", "u2")]);
  await tab.caughtUp();
  gate.resolve();
  await tab.ended(first);
  await tab.ended(second);
  expect(await inside(({ model }) => JSON.stringify(model.calls[0]?.prompt))).not.toContain("q2");
  expect(shownTranscript(await stored(agent))).toEqual(["user: q1", "assistant: a1", "user: q2", "assistant: a2"]);
});

test("a client that asks in the middle of an answer sends the half that it knows; the answer is stored once, and whole", async () => {
  const { agent, tab, first, open } = await busy();
  const [start] = tab.chunksOf(first);
  const half = { id: (start as { messageId: string }).messageId, role: "assistant" as const };
  const known = [userMessage("q1", "u1"), { ...half, parts: [{ type: "text" as const, text: "a1 " }] }];
  const second = tab.request([...known, userMessage("q2", "u2")]);
  await tab.caughtUp();
  const third = tab.request([...known, userMessage("q2", "u2"), userMessage("q3", "u3")]);
  await tab.caughtUp();
  open();
  await Promise.all([first, second, third].map((id) => tab.ended(id)));
  expect(shownTranscript(await stored(agent))).toEqual([
    "user: q1",
    "assistant: a1 end",
    "user: q2",
    "assistant: a2",
    "user: q3",
    "assistant: a3",
  ]);
  expect(tab.transcript).toEqual(shownTranscript(await stored(agent)));
  expect((await tab.ended(third)).messageIds?.at(-1)).toBe("u3");
});

test("decision 2, W9: waiting requests survive a restart of the object", async () => {
  const { agent, tab, ask, crash, connect, inside } = await busy();
  const second = await ask("q2", "u2");
  await crash();
  const back = await connect().catch(() => connect());
  back.follow();
  await expect
    .poll(() => back.transcript, { timeout: 3_000 })
    .toEqual(["user: q1", expect.stringMatching(/^assistant: /), "user: q2", expect.stringMatching(/^assistant: /)]);
  const events = await inside(async (again) => (await again.auditLog({ submissionId: second })).events);
  expect(events.map(({ type }) => type)).toContain("TurnCompleted");
  expect([agent, tab]).toHaveLength(2);
});

test("decision 16: after a crash, a waiting request still has the tools and the body that it brought", async () => {
  const seen: unknown[] = [];
  const { tab, crash, connect } = await busy(undefined, {
    beforeTurn: ({ body, tools, messages }) => void seen.push([messages.length, body, "print" in tools]),
  });
  tab.request([userMessage("q2", "u2")], { clientTools: [clientTool("print")], body: { tone: "dry" } });
  await tab.caughtUp();
  await crash();
  const back = await connect().catch(() => connect());
  back.follow();
  await expect.poll(() => seen, { timeout: 3_000 }).toContainEqual([3, { tone: "dry" }, true]);
});

test("T333, P18, M6: drop refuses what overlaps: the sender gets the transcript back and the end, and nothing is stored", async () => {
  const { agent, tab, other, ask, first, open, modelCalls, heard } = await busy("drop");
  const from = tab.chat.length;
  const fromOther = other.chat.length;
  const second = await ask("q2", "u2");
  expect(tab.chat.slice(from).map(({ type, outcome }) => outcome ?? type)).toEqual([
    "cf_agent_chat_messages",
    "skipped",
  ]);
  expect(await tab.ended(second)).toMatchObject({ body: "", done: true, outcome: "skipped" });
  expect(tab.transcript).not.toContain("user: q2");
  expect(other.chat.slice(fromOther).filter(({ messages }) => messages?.some(({ id }) => id === "u2"))).toEqual([]);
  open();
  await tab.ended(first);
  expect(shownTranscript(await stored(agent))).toEqual(["user: q1", "assistant: a1 end"]);
  expect(await modelCalls()).toBe(1);
  await expect.poll(() => heard.map(({ requestId }) => requestId)).toEqual([first]);
});

test("M2: a request without overlap is answered under every strategy", async () => {
  for (const strategy of ["latest", "merge", "drop", { strategy: "debounce", debounceMs: 50 }] as const) {
    const { connect } = await wire({ messageConcurrency: strategy });
    const tab = await connect();
    expect(await tab.ended(tab.request([userMessage("one")]))).toMatchObject({ outcome: "completed" });
    expect(await tab.ended(tab.request([userMessage("two")]))).toMatchObject({ outcome: "completed" });
  }
});

test("T332, M4, W8: of those that wait, latest answers only the newest; the others end as skipped for every tab", async () => {
  const { agent, tab, other, first, ask, open, heard, modelCalls } = await busy("latest");
  const second = await ask("q2", "u2");
  const third = await ask("q3", "u3");
  const fourth = await ask("q4", "u4");
  open();
  for (const each of [tab, other]) {
    expect(await each.ended(first)).toMatchObject({ outcome: "completed" });
    expect(await each.ended(second)).toMatchObject({ body: "", outcome: "skipped" });
    expect(await each.ended(third)).toMatchObject({ body: "", outcome: "skipped" });
    expect(await each.ended(fourth)).toMatchObject({ outcome: "completed" });
  }
  expect(await modelCalls()).toBe(2);
  await expect.poll(() => heard.map(({ requestId }) => requestId)).toEqual([first, fourth]);
  const shown = shownTranscript(await stored(agent));
  expect(shown.at(-1)).toBe("assistant: a2");
  expect(shown).toContain("user: q4");
});

test("M4: latest keeps the questions that it superseded in the conversation", async () => {
  const { agent, tab, ask, open } = await busy("latest");
  await ask("q2", "u2");
  const third = await ask("q3", "u3");
  open();
  await tab.ended(third);
  expect((await stored(agent)).filter(({ role }) => role === "user").map(({ id }) => id)).toEqual(["u1", "u2", "u3"]);
});

test("decision 18, K-24: a superseded turn is on the record as skipped, with the id of the one that superseded it", async () => {
  for (const strategy of ["latest", "merge", { strategy: "debounce", debounceMs: 60 }] as const) {
    const { agent, tab, ask, open } = await busy(strategy);
    const second = await ask("q2", "u2");
    const third = await ask("q3", "u3");
    open();
    await tab.ended(third);
    const [skipped] = (await agent.auditLog({ submissionId: second, types: ["TurnSkipped"] })).events;
    expect(JSON.stringify(skipped?.data)).toContain(third);
    expect(await eventsOf(agent, second)).not.toContain("TurnClaimed");
  }
});

test("T334, M5, decision 18: merge answers all that wait in one turn that sees every one of them", async () => {
  const { agent, tab, other, first, ask, open, modelCalls, lastPrompt } = await busy("merge");
  const second = await ask("q2", "u2");
  const third = await ask("q3", "u3");
  open();
  for (const each of [tab, other]) {
    expect(await each.ended(first)).toMatchObject({ outcome: "completed" });
    expect(await each.ended(second)).toMatchObject({ outcome: "skipped" });
    expect(await each.ended(third)).toMatchObject({ outcome: "completed" });
  }
  expect(await modelCalls()).toBe(2);
  expect(await lastPrompt()).toMatch(/q2.*q3/);
  expect(shownTranscript(await stored(agent))).toEqual([
    "user: q1",
    "assistant: a1 end",
    "user: q2",
    "user: q3",
    "assistant: a2",
  ]);
});

test("T335, M7: debounce answers the last of a burst, after a time of quiet", async () => {
  const { agent, tab, ask, open, modelCalls } = await busy({ strategy: "debounce", debounceMs: 300 });
  const second = await ask("q2", "u2");
  open();
  // Within the time of quiet of the one before, which begins anew.
  await scheduler.wait(40);
  expect(await modelCalls()).toBe(1);
  const third = await ask("q3", "u3");
  expect(await tab.ended(second)).toMatchObject({ outcome: "skipped" });
  expect(await tab.ended(third)).toMatchObject({ outcome: "completed" });
  expect(await modelCalls()).toBe(2);
  expect(shownTranscript(await stored(agent)).at(-1)).toBe("assistant: a2");
});

test("T-61: a time of quiet that is no time is the usual one", async () => {
  const { tab, ask, open, modelCalls } = await busy({ strategy: "debounce", debounceMs: Number.NaN });
  const second = await ask("q2", "u2");
  open();
  await scheduler.wait(200);
  expect(await modelCalls()).toBe(1);
  expect(await tab.ended(second)).toMatchObject({ outcome: "completed" });
});

test("T337, M8: a clear ends what waits under latest as skipped; T338: what comes after it does not overlap", async () => {
  const { agent, tab, ask, open, modelCalls } = await busy("latest");
  const second = await ask("q2", "u2");
  tab.clear();
  expect(await tab.ended(second)).toMatchObject({ outcome: "skipped" });
  const after = await ask("q3", "u3");
  open();
  expect(await tab.ended(after)).toMatchObject({ outcome: "completed" });
  expect(await modelCalls()).toBe(2);
  expect(shownTranscript(await stored(agent))).toEqual(["user: q3", "assistant: a2"]);
});

test("T338: after a clear, drop drops nothing that came later", async () => {
  const { tab, ask, open } = await busy("drop");
  tab.clear();
  const after = await ask("q2", "u2");
  open();
  expect(await tab.ended(after)).toMatchObject({ outcome: "completed" });
});

test("M1: turns from the server always queue, whatever the strategy", async () => {
  const { agent, ask, open, tab } = await busy("latest");
  const saved = agent.saveMessages([userMessage("from the server", "s1")]);
  await tab.caughtUp();
  const second = await ask("q2", "u2");
  open();
  expect(await saved).toMatchObject({ status: "completed" });
  expect(await tab.ended(second)).toMatchObject({ outcome: "completed" });
});
