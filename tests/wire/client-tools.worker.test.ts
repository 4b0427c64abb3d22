import { expect, test } from "vitest";
import { callTool, text, textAround } from "../../src/testing/index.ts";
import { replies } from "../support/scripts.ts";
import { userMessage } from "../support/test-agent.ts";
import { callTools } from "../support/turn-probes.ts";
import { browse, called, calledMidStream, callOf, resultOf } from "./support/browser-tool.ts";
import { callsIn, quietTime } from "./support/calls.ts";
import { addTool, clientTool } from "./support/tools.ts";
import { stored, wire } from "./support/wire.ts";

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

test("T315: what a result made of its call is still so after a restart", async () => {
  const { tab, restart, connect } = await called(() => callOf("c1"));
  tab.toolResult(resultOf("c1"));
  await tab.waitForType("cf_agent_message_updated");
  await restart();
  const back = await connect();
  const { messages } = await back.waitForType("cf_agent_chat_messages");
  expect(callsIn(messages ?? [])).toMatchObject({ c1: { output: "a page" } });
});

test("T294, T296, C8: a result that comes while the answer still streams is taken in, and kept when it is stored", async () => {
  const { agent, tab, id, open } = await calledMidStream(callOf("c1").steps.slice(-1));
  tab.toolResult(resultOf("c1"));
  const { message } = await tab.waitForType("cf_agent_message_updated");
  expect(callsIn(message ? [message] : [])).toMatchObject({ c1: { output: "a page" } });
  open();
  await tab.ended(id);
  expect(callsIn(await stored(agent))).toMatchObject({ c1: { state: "output-available", output: "a page" } });
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
