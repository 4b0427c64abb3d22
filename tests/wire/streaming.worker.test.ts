import { expect, test } from "vitest";
import type { ChatErrorContext, ChatResponseResult } from "../../src/index.ts";
import { callTool, stall, streamError, text } from "../../src/testing/index.ts";
import { heldReply, replies } from "../support/scripts.ts";
import { addTool, failingTool } from "./support/tools.ts";
import { userMessage } from "../support/test-agent.ts";
import { shownTranscript } from "./support/client.ts";
import { stored, wire } from "./support/wire.ts";

test("P27: each chunk is sent as it comes, not when the answer is whole", async () => {
  const held = heldReply();
  const { connect } = await wire({ script: held.script });
  const [asking, watching] = [await connect(), await connect()];
  const id = asking.request([userMessage("Hi")]);
  await Promise.all([asking.said(id, "before "), watching.said(id, "before ")]);
  expect(asking.framesOf(id).some(({ done }) => done)).toBe(false);
  held.open();
  await Promise.all([asking.ended(id), watching.ended(id)]);
  expect([asking.textOf(id), watching.textOf(id)]).toEqual(["before after", "before after"]);
});

test("T182: calls of tools and their results are chunks of the same stream, and end up in the one stored answer", async () => {
  const { agent, connect } = await wire({
    tools: { add: addTool },
    script: replies(callTool("add", { a: 1, b: 2 }, "call-1"), text("It is 3.")),
  });
  const tab = await connect();
  const id = tab.request([userMessage("1 + 2?")]);
  await tab.ended(id);
  expect(tab.chunksOf(id)).toContainEqual(
    expect.objectContaining({ type: "tool-input-available", toolCallId: "call-1", input: { a: 1, b: 2 } }),
  );
  expect(tab.chunksOf(id)).toContainEqual(
    expect.objectContaining({ type: "tool-output-available", toolCallId: "call-1", output: 3 }),
  );
  expect((await stored(agent)).at(-1)?.parts).toMatchObject([
    { type: "step-start" },
    { type: "tool-add", state: "output-available", output: 3 },
    { type: "step-start" },
    { type: "text", text: "It is 3." },
  ]);
});

test("a tool that throws is a chunk like another; the turn goes on", async () => {
  const { connect } = await wire({
    tools: { fail: failingTool },
    script: replies(callTool("fail", {}, "call-1"), text("Sorry.")),
  });
  const tab = await connect();
  const id = tab.request([userMessage("Do it")]);
  expect(await tab.ended(id)).toMatchObject({ outcome: "completed" });
  expect(tab.chunksOf(id)).toContainEqual(
    expect.objectContaining({
      type: "tool-output-error",
      toolCallId: "call-1",
      errorText: expect.stringContaining("it broke"),
    }),
  );
  expect(tab.textOf(id)).toBe("Sorry.");
});

test("P29, T15: an error of the provider is one error frame with its text, then one end; what was said is kept", async () => {
  const { agent, connect } = await wire({ script: () => streamError("overloaded", "so far") });
  const [asking, watching] = [await connect(), await connect()];
  const id = asking.request([userMessage("Hi", "u1")]);
  for (const tab of [asking, watching]) {
    await tab.ended(id);
    await tab.caughtUp();
    const frames = tab.framesOf(id);
    expect(frames.filter(({ error }) => error)).toMatchObject([{ body: "overloaded", done: false }]);
    expect(frames.filter(({ done }) => done)).toHaveLength(1);
    expect(frames.at(-1)).toMatchObject({ body: "", done: true, outcome: "error" });
    expect(tab.textOf(id)).toBe("so far");
  }
  expect(shownTranscript(await stored(agent))).toEqual(["user: Hi", "assistant: so far"]);
});

test("P29: what a provider says after its error is not the answer's", async () => {
  const { agent, connect } = await wire({
    script: () => ({ steps: [...streamError("overloaded", "so far").steps.slice(0, -1), ...text(" and on").steps] }),
  });
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  await tab.ended(id);
  await tab.caughtUp();
  expect(tab.textOf(id)).toBe("so far");
  expect(tab.framesOf(id).at(-1)).toMatchObject({ done: true, outcome: "error" });
  expect(shownTranscript(await stored(agent))).toEqual(["user: Hi", "assistant: so far"]);
});

test("P29: the hook hears of the error, and the next request works", async () => {
  const heard: ChatResponseResult[] = [];
  const { connect } = await wire({
    script: replies(streamError("overloaded"), text("fine")),
    onChatResponse: (result) => void heard.push(result),
  });
  const tab = await connect();
  const first = tab.request([userMessage("one")]);
  await tab.ended(first);
  const second = tab.request([userMessage("two")]);
  expect(await tab.ended(second)).toMatchObject({ outcome: "completed" });
  expect(tab.textOf(second)).toBe("fine");
  await expect
    .poll(() => heard)
    .toMatchObject([
      { requestId: first, status: "error", error: "overloaded" },
      { requestId: second, status: "completed" },
    ]);
});

test("P26: a turn that fails before it streams ends with its error, for every tab, and names its question", async () => {
  const errors: unknown[] = [];
  const { connect } = await wire({
    beforeTurn: () => {
      throw new Error("no budget");
    },
    onChatError: (error, context?: ChatErrorContext) => {
      errors.push(context?.stage);
      return error;
    },
  });
  const [asking, watching] = [await connect(), await connect()];
  const id = asking.request([userMessage("Hi", "u1")]);
  for (const tab of [asking, watching]) {
    expect(await tab.ended(id)).toMatchObject({ body: "no budget", error: true, messageIds: ["u1"] });
    expect(tab.framesOf(id)).toHaveLength(1);
  }
  expect(errors).toEqual(["turn"]);
});

test("P26: what onChatError returns is what the clients see", async () => {
  const { connect } = await wire({
    beforeTurn: () => {
      throw new Error("secret of the provider");
    },
    onChatError: () => new Error("Something went wrong."),
  });
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  expect(await tab.ended(id)).toMatchObject({ body: "Something went wrong.", error: true });
  expect(JSON.stringify(tab.frames)).not.toContain("secret");
});

test("decision 15: what onChatError returns also replaces the error of a provider, in every frame", async () => {
  const { connect } = await wire({
    script: () => streamError("secret of the provider", "so far"),
    onChatError: () => new Error("Something went wrong."),
  });
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  await tab.ended(id);
  expect(tab.framesOf(id).filter(({ error }) => error)).toMatchObject([{ body: "Something went wrong." }]);
  expect(JSON.stringify(tab.frames)).not.toContain("secret");
});

test("P38, T29: what was said until a cancel is kept; the end says aborted and is no error", async () => {
  const heard: ChatResponseResult[] = [];
  const { agent, connect } = await wire({
    script: replies(stall("half"), text("whole")),
    onChatResponse: (result) => void heard.push(result),
  });
  const [asking, watching] = [await connect(), await connect()];
  const id = asking.request([userMessage("Hi", "u1")]);
  await watching.said(id, "half");
  asking.cancel(id);
  for (const tab of [asking, watching]) {
    const end = await tab.ended(id);
    expect(end).toMatchObject({ body: "", outcome: "aborted" });
    expect(end.error).toBeUndefined();
    expect(tab.framesOf(id).filter(({ done }) => done)).toHaveLength(1);
    expect(tab.transcript).toEqual(["user: Hi", "assistant: half"]);
  }
  expect(shownTranscript(await stored(agent))).toEqual(["user: Hi", "assistant: half"]);
  await expect.poll(() => heard).toMatchObject([{ requestId: id, status: "aborted" }]);
  const next = asking.request([userMessage("again")]);
  expect(await asking.ended(next)).toMatchObject({ outcome: "completed" });
});

test("the socket answers while the model is slow: a request does not block the agent", async () => {
  const gate = Promise.withResolvers<void>();
  const { agent, connect } = await wire({ beforeTurn: () => gate.promise });
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  await tab.caughtUp();
  expect(Array.isArray(await stored(agent))).toBe(true);
  gate.resolve();
  await tab.ended(id);
});

test("P32: when the answer cannot be stored, the end says so; nobody waits for ever, and the next request works", async () => {
  const held = heldReply();
  const { connect, inside } = await wire({ script: held.script });
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  await tab.said(id, "before");
  await inside((_, { storage }) => {
    storage.sql.exec(`CREATE TRIGGER full BEFORE INSERT ON cf_agents_session_messages
      WHEN NEW.role = 'assistant' BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`);
  });
  held.open();
  expect(await tab.ended(id)).toMatchObject({ done: true, error: true, outcome: "error" });
  await inside((_, { storage }) => void storage.sql.exec("DROP TRIGGER full"));
  expect(await tab.ended(tab.request([userMessage("again")]))).toMatchObject({ outcome: "completed" });
});
