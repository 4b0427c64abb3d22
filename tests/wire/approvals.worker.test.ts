import { expect, test } from "vitest";
import { callTool, type Reply, text } from "../../src/testing/index.ts";
import { replies } from "../support/scripts.ts";
import { userMessage } from "../support/test-agent.ts";
import { callTools } from "../support/turn-probes.ts";
import { callsIn, isEndOfContinuation, quietTime } from "./support/calls.ts";
import { clientTool, guardedTool } from "./support/tools.ts";
import { stored, wire } from "./support/wire.ts";

const removal = (toolCallId: string): Reply => callTool("remove", { path: `/${toolCallId}` }, toolCallId);

/** An agent whose model has asked to remove a file, and the tabs that see the question. */
async function asked(
  call: Reply = removal("c1"),
  execute: (input: { path: string }) => unknown = ({ path }) => `removed ${path}`,
) {
  const removed: string[] = [];
  const agent = await wire({
    script: replies(call, text("Done as you said.")),
    tools: {
      remove: guardedTool((input) => {
        removed.push(input.path);
        return execute(input);
      }),
    },
  });
  const [tab, other] = [await agent.connect(), await agent.connect()];
  const id = tab.request([userMessage("clean up", "u1")], { clientTools: [clientTool("browse")] });
  await Promise.all([tab.ended(id), other.ended(id)]);
  return { ...agent, tab, other, id, removed, modelCalls: () => agent.inside(({ model }) => model.calls.length) };
}

test("C12: a call that needs approval asks for it, and waits; it is not executed", async () => {
  const { agent, tab, id, removed } = await asked();
  expect(await tab.ended(id)).toMatchObject({ outcome: "completed" });
  expect(tab.chunksOf(id)).toContainEqual(
    expect.objectContaining({ type: "tool-approval-request", toolCallId: "c1", approvalId: expect.any(String) }),
  );
  expect(callsIn(await stored(agent))).toMatchObject({
    c1: { state: "approval-requested", input: { path: "/c1" }, approval: { id: expect.any(String) } },
  });
  expect(removed).toEqual([]);
});

test("T279, T283: a yes is taken into the call, which keeps what it knew, and every tab gets the changed message", async () => {
  const { agent, tab, other } = await asked();
  const before = callsIn(await stored(agent)) as Record<string, { approval?: { id: string } }>;
  tab.approve({ toolCallId: "c1", approved: true });
  for (const each of [tab, other]) {
    const { message } = await each.waitForType("cf_agent_message_updated");
    expect(callsIn(message ? [message] : [])).toMatchObject({
      c1: { state: "approval-responded", approval: { id: before["c1"]?.approval?.id, approved: true } },
    });
  }
});

test("T280: a no denies the call", async () => {
  const { agent, tab } = await asked();
  tab.approve({ toolCallId: "c1", approved: false });
  await tab.waitForType("cf_agent_message_updated");
  expect(callsIn(await stored(agent))).toMatchObject({ c1: { state: "output-denied", approval: { approved: false } } });
});

test("T286, T287, T288, C13: a yes that opts in executes the call once, and its output is streamed and kept", async () => {
  const { agent, tab, other, removed, modelCalls } = await asked();
  tab.approve({ toolCallId: "c1", approved: true, autoContinue: true });
  const end = await other.waitFor(isEndOfContinuation);
  const continuation = end.id ?? "";
  expect(removed).toEqual(["/c1"]);
  expect(other.chunksOf(continuation)).toContainEqual(
    expect.objectContaining({ type: "tool-output-available", toolCallId: "c1", output: "removed /c1" }),
  );
  expect(other.textOf(continuation)).toBe("Done as you said.");
  expect(callsIn(await stored(agent))).toMatchObject({ c1: { state: "output-available", output: "removed /c1" } });
  expect(await modelCalls()).toBe(2);
});

test("T289, T291: a no that opts in continues without executing; the denial is kept, and the model hears of it", async () => {
  const { agent, tab, removed, inside } = await asked();
  tab.approve({ toolCallId: "c1", approved: false, autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  expect(removed).toEqual([]);
  expect(callsIn(await stored(agent))).toMatchObject({ c1: { state: "output-denied" } });
  const prompt = await inside(({ model }) => JSON.stringify(model.calls.at(-1)?.prompt));
  expect(prompt).toContain("denied");
});

test("T285, C15: a yes that does not opt in is only noted", async () => {
  const { tab, removed, modelCalls } = await asked();
  tab.approve({ toolCallId: "c1", approved: true });
  await tab.waitForType("cf_agent_message_updated");
  await quietTime();
  expect(removed).toEqual([]);
  expect(await modelCalls()).toBe(1);
});

test("T290: what an approved call fails with is kept as its result", async () => {
  const { agent, tab } = await asked(removal("c1"), () => {
    throw new Error("disk is full");
  });
  tab.approve({ toolCallId: "c1", approved: true, autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  expect(callsIn(await stored(agent))).toMatchObject({
    c1: { state: "output-error", errorText: expect.stringContaining("disk is full") },
  });
});

test("T282: the first decision stands; a later no, and a later yes, change nothing and execute nothing twice", async () => {
  const { agent, tab, other, removed } = await asked();
  tab.approve({ toolCallId: "c1", approved: true, autoContinue: true });
  other.approve({ toolCallId: "c1", approved: false, autoContinue: true });
  other.approve({ toolCallId: "c1", approved: true, autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  await quietTime();
  expect(removed).toEqual(["/c1"]);
  expect(callsIn(await stored(agent))).toMatchObject({ c1: { state: "output-available", output: "removed /c1" } });
});

test("T281: a decision about a call that nobody made changes nothing and starts nothing", async () => {
  const { agent, tab, modelCalls } = await asked();
  const before = await stored(agent);
  tab.approve({ toolCallId: "forged", approved: true, autoContinue: true });
  await tab.caughtUp();
  await quietTime();
  expect(await stored(agent)).toEqual(before);
  expect(await modelCalls()).toBe(1);
});

test("decision 22, W12: a result for a call that waits for approval is refused: it does not get round the question", async () => {
  const { agent, tab, removed, modelCalls } = await asked();
  const before = await stored(agent);
  tab.toolResult({ toolCallId: "c1", toolName: "remove", output: "removed, honestly", autoContinue: true });
  const { message } = await tab.waitForType("cf_agent_message_updated");
  expect(message).toEqual(before.at(-1));
  await quietTime();
  expect(await stored(agent)).toEqual(before);
  expect([removed, await modelCalls()]).toEqual([[], 1]);
});

test("decision 22: a yes to a call of the browser's tool, which asked for none, is refused", async () => {
  const { agent, tab, modelCalls } = await asked(callTool("browse", { page: 1 }, "b1"));
  const before = await stored(agent);
  tab.approve({ toolCallId: "b1", approved: true, autoContinue: true });
  const { message } = await tab.waitForType("cf_agent_message_updated");
  expect(message).toEqual(before.at(-1));
  await quietTime();
  expect(await stored(agent)).toEqual(before);
  expect(await modelCalls()).toBe(1);
});

test("T309: a sibling that waits for approval holds the batch until it is answered", async () => {
  const { tab, removed, modelCalls } = await asked(callTools(callTool("browse", { page: 1 }, "b1"), removal("c1")));
  tab.toolResult({ toolCallId: "b1", toolName: "browse", output: "a page", autoContinue: true });
  await tab.waitForType("cf_agent_message_updated");
  await quietTime();
  expect(await modelCalls()).toBe(1);
  tab.approve({ toolCallId: "c1", approved: true, autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  expect(removed).toEqual(["/c1"]);
  expect(await modelCalls()).toBe(2);
});

test("two calls that need approval, one yes and one no: only the one is executed, in one continuation", async () => {
  const { agent, tab, removed, modelCalls } = await asked(callTools(removal("c1"), removal("c2")));
  tab.approve({ toolCallId: "c1", approved: false, autoContinue: true });
  tab.approve({ toolCallId: "c2", approved: true, autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  await quietTime();
  expect(removed).toEqual(["/c2"]);
  expect(await modelCalls()).toBe(2);
  expect(callsIn(await stored(agent))).toMatchObject({
    c1: { state: "output-denied" },
    c2: { state: "output-available", output: "removed /c2" },
  });
});

test("a yes after a restart still executes the call", async () => {
  const { agent, tab, removed, restart } = await asked();
  await restart();
  tab.approve({ toolCallId: "c1", approved: true, autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  expect(removed).toEqual(["/c1"]);
  expect(callsIn(await stored(agent))).toMatchObject({ c1: { output: "removed /c1" } });
});

test("decision 17: an approval that nobody gives is moved past by the next question, and is then too late", async () => {
  const { agent, tab, removed } = await asked();
  const next = tab.request([userMessage("never mind", "u2")]);
  expect(await tab.ended(next)).toMatchObject({ outcome: "completed" });
  tab.approve({ toolCallId: "c1", approved: true, autoContinue: true });
  await tab.caughtUp();
  await quietTime();
  expect(removed).toEqual([]);
  expect((await stored(agent)).at(-1)?.role).toBe("assistant");
});

test("T295, C8: a yes that comes while the answer still streams is taken in, and kept when it is stored", async () => {
  const gate = Promise.withResolvers<void>();
  const [steps, end] = [removal("c1").steps.slice(0, -1), removal("c1").steps.slice(-1)];
  const { agent, connect } = await wire({
    script: () => ({ steps: [...steps, gate.promise, ...end] }),
    tools: { remove: guardedTool(() => "removed") },
  });
  const tab = await connect();
  const id = tab.request([userMessage("clean up")]);
  await tab.waitFor(({ body }) => body?.includes("tool-approval-request") ?? false);
  tab.approve({ toolCallId: "c1", approved: true });
  await tab.waitForType("cf_agent_message_updated");
  gate.resolve();
  await tab.ended(id);
  expect(callsIn(await stored(agent))).toMatchObject({
    c1: { state: "approval-responded", approval: { approved: true } },
  });
});
