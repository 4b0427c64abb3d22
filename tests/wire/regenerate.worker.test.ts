import { expect, test } from "vitest";
import type { ChatResponseResult } from "../../src/index.ts";
import { text } from "../../src/testing/index.ts";
import { heldReply, replies } from "../support/scripts.ts";
import { userMessage } from "../support/test-agent.ts";
import { called, callOf, resultOf } from "./support/browser-tool.ts";
import { isEndOfContinuation } from "./support/calls.ts";
import { shownTranscript, type WireClient } from "./support/client.ts";
import { stored, wire } from "./support/wire.ts";
import type { WireSetup } from "./support/wire-agent.ts";

/** An agent that counts its answers; one question is answered. */
async function answered(setup: Partial<WireSetup> = {}) {
  const agent = await wire({ script: ({ index }) => text(`answer ${index}`), ...setup });
  const tab = await agent.connect();
  await tab.ended(tab.request([userMessage("Hi", "u1")]));
  return { ...agent, tab };
}

const again = (tab: WireClient, messages = [userMessage("Hi", "u1")]): string =>
  tab.request(messages, { trigger: "regenerate-message" });

test("T326, T-80: to regenerate makes a sibling of the answer; the new one is shown", async () => {
  const { agent, inside, tab } = await answered();
  await tab.ended(again(tab));
  expect(shownTranscript(await stored(agent))).toEqual(["user: Hi", "assistant: answer 1"]);
  expect(tab.transcript).toEqual(["user: Hi", "assistant: answer 1"]);
  const branches = await inside(async ({ session }) => shownTranscript((await session.getBranches("u1")) as never));
  expect(branches).toEqual(["assistant: answer 0", "assistant: answer 1"]);
});

test("T327: a second time makes a third", async () => {
  const { inside, tab } = await answered();
  await tab.ended(again(tab));
  await tab.ended(again(tab));
  expect(await inside(async ({ session }) => (await session.getBranches("u1")).length)).toBe(3);
});

test("T328: what was before the question stays, and the model does not see the replaced answer", async () => {
  const { agent, inside, tab } = await answered();
  const first = await stored(agent);
  await tab.ended(tab.request([...first, userMessage("more", "u2")]));
  await tab.ended(again(tab, [...first, userMessage("more", "u2")]));
  expect(shownTranscript(await stored(agent))).toEqual([
    "user: Hi",
    "assistant: answer 0",
    "user: more",
    "assistant: answer 2",
  ]);
  const prompt = await inside(({ model }) => JSON.stringify(model.calls.at(-1)?.prompt));
  expect(prompt).toContain("answer 0");
  expect(prompt).not.toContain("answer 1");
});

test("an earlier answer can be regenerated: the conversation goes on from there", async () => {
  const { agent, inside, tab } = await answered();
  const first = await stored(agent);
  await tab.ended(tab.request([...first, userMessage("more", "u2")]));
  await tab.ended(again(tab));
  expect(shownTranscript(await stored(agent))).toEqual(["user: Hi", "assistant: answer 2"]);
  const prompt = await inside(({ model }) => JSON.stringify(model.calls.at(-1)?.prompt));
  expect(prompt).not.toContain("more");
});

test("T329: the response hook hears of it like of any turn", async () => {
  const heard: ChatResponseResult[] = [];
  const { tab } = await answered({ onChatResponse: (result) => void heard.push(result) });
  const id = again(tab);
  await tab.ended(id);
  await expect.poll(() => heard.length).toBe(2);
  expect(heard[1]).toMatchObject({ requestId: id, status: "completed", continuation: false });
});

test("the end of it names the question, and other tabs see the new answer", async () => {
  const { connect, tab } = await answered();
  const other = await connect();
  const id = again(tab);
  expect(await tab.ended(id)).toMatchObject({ outcome: "completed", messageIds: ["u1"] });
  await other.ended(id);
  expect(other.textOf(id)).toBe("answer 1");
  expect(other.transcript).toEqual(["user: Hi", "assistant: answer 1"]);
});

test("T330: to regenerate with no messages is to answer once more", async () => {
  const { tab } = await answered();
  expect(await tab.ended(again(tab, []))).toMatchObject({ outcome: "completed" });
});

test("T336, M1: no strategy for overlapping requests touches a regeneration", async () => {
  const held = heldReply();
  let calls = 0;
  const { tab } = await answered({
    messageConcurrency: "drop",
    script: (call) => ((calls += 1) === 1 ? text("answer 0") : held.script({ ...call, index: calls - 2 })),
  });
  const running = again(tab);
  await tab.said(running, "before");
  const waiting = again(tab);
  await tab.caughtUp();
  held.open();
  expect(await tab.ended(running)).toMatchObject({ outcome: "completed" });
  expect(await tab.ended(waiting)).toMatchObject({ outcome: "completed" });
});

test("an answer that was continued is regenerated as a whole", async () => {
  const { tab, inside } = await called(replies(callOf("c1"), text("It says a page."), text("Without looking.")));
  tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  await tab.ended(again(tab, [userMessage("go", "u1")]));
  expect(tab.transcript).toEqual(["user: go", "assistant: Without looking."]);
  const prompt = await inside(({ model }) => JSON.stringify(model.calls.at(-1)?.prompt));
  expect(prompt).not.toContain("a page");
  expect(await inside(async ({ session }) => (await session.getBranches("u1")).length)).toBe(2);
});

test("W28: a question that was edited is asked beside the old one, with what came before it and nothing after", async () => {
  const { agent, inside, tab } = await answered();
  await tab.ended(tab.request([userMessage("Hi", "u1"), userMessage("And?", "u2")]));
  const answerIds = (await stored(agent)).map(({ id }) => id);
  await tab.ended(tab.request([userMessage("Hi", "u1"), userMessage("And then?", "u2")]));
  expect(shownTranscript(await stored(agent))).toEqual([
    "user: Hi",
    "assistant: answer 0",
    "user: And then?",
    "assistant: answer 2",
  ]);
  expect(tab.transcript).toEqual(shownTranscript(await stored(agent)));
  const asked = await inside(async ({ session }) =>
    (await session.getBranches(answerIds[1] ?? "")).map(({ id }) => id),
  );
  expect(asked).toEqual(["u2", expect.not.stringMatching(/^u2$/)]);
  const prompt = await inside(({ model }) => JSON.stringify(model.calls.at(-1)?.prompt));
  expect(prompt).not.toContain("And?");
});

test("W28: the first question can be edited too, and the old path can be gone back to", async () => {
  const { agent, inside, tab } = await answered();
  const old = (await stored(agent)).at(-1)?.id ?? "";
  await tab.ended(tab.request([userMessage("Hello", "u1")]));
  expect(shownTranscript(await stored(agent))).toEqual(["user: Hello", "assistant: answer 1"]);
  await inside(({ session }) => session.setActiveLeaf(old));
  expect(shownTranscript(await stored(agent))).toEqual(["user: Hi", "assistant: answer 0"]);
});

test("a question that is sent again as it was is answered once more, and stored once", async () => {
  const { agent, tab } = await answered();
  await tab.ended(tab.request([userMessage("Hi", "u1")]));
  expect((await stored(agent)).filter(({ role }) => role === "user")).toHaveLength(1);
});
