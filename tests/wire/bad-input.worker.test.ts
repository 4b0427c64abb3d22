import { expect, test, vi } from "vitest";
import type { ChatErrorContext } from "../../src/index.ts";
import { callTool } from "../../src/testing/index.ts";
import { userMessage } from "../support/test-agent.ts";
import { clientTool } from "./support/tools.ts";
import { stored, wire } from "./support/wire.ts";

const REQUEST = "cf_agent_use_chat_request";
const post = (body: unknown) => ({ method: "POST", body });

test("P7: what is not JSON, not of the chat, or not text goes to onMessage, unchanged", async () => {
  const heard: unknown[] = [];
  const { connect } = await wire({
    onMessage: (_, message) => void heard.push(typeof message === "string" ? message : "binary"),
  });
  const tab = await connect();
  const foreign = ["not JSON", "[1]", '"text"', '{"type":"of the application","n":1}', '{"no":"type"}'];
  for (const text of foreign) tab.sendText(text);
  tab.socket.send(new Uint8Array([1, 2, 3]));
  await expect.poll(() => heard).toEqual([...foreign, "binary"]);
});

test("P12: frames of the chat do not reach onMessage", async () => {
  const heard: unknown[] = [];
  const { connect } = await wire({ onMessage: (_, message) => void heard.push(message) });
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  await tab.ended(id);
  tab.cancel(id);
  tab.ack(id);
  tab.toolResult({ toolCallId: "none", toolName: "none", output: 1 });
  tab.approve({ toolCallId: "none", approved: true });
  tab.send({ type: "cf_agent_chat_messages", messages: [] });
  await tab.resume();
  tab.clear();
  tab.sendText("the last one");
  await expect.poll(() => heard).toEqual(["the last one"]);
});

test.for<[string, unknown]>([
  ["a body that is not JSON", post("{")],
  ["no body", { method: "POST" }],
  ["an empty body", post("")],
  ["a body that is no text", post({ messages: [] })],
  ["a body that is no object", post("7")],
  ["no messages", post("{}")],
  ["messages that are no list", post('{"messages":"Hi","trigger":"submit-message"}')],
  ["a message that is nothing", post('{"messages":[null],"trigger":"submit-message"}')],
  ["a message without parts", post('{"messages":[{"id":"m","role":"user"}],"trigger":"submit-message"}')],
  ["a message of nobody", post('{"messages":[{"id":"m","parts":[]}],"trigger":"submit-message"}')],
  ["another method", { method: "GET", body: '{"messages":[]}' }],
  ["no method", {}],
  ["no init", undefined],
])("decision 23, W2: a request with %s ends with an error at once, and leaves nothing behind", async ([, init]) => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { agent, connect } = await wire();
  const tab = await connect();
  tab.send({ type: REQUEST, id: "bad", init });
  const end = await tab.ended("bad");
  expect(end).toMatchObject({ done: true, error: true });
  expect(end.body).not.toBe("");
  expect(await stored(agent)).toEqual([]);
  expect(await tab.ended(tab.request([userMessage("Hi")]))).toMatchObject({ outcome: "completed" });
  expect(tab.framesOf("bad")).toHaveLength(1);
});

test("decision 23: only the one who sent it hears of a malformed request", async () => {
  const { connect } = await wire();
  const [tab, other] = [await connect(), await connect()];
  tab.send({ type: REQUEST, id: "bad", init: post("{") });
  await tab.ended("bad");
  await other.caughtUp();
  expect(other.framesOf("bad")).toEqual([]);
});

test("P9: onChatError hears of a body that cannot be parsed", async () => {
  const stages: unknown[] = [];
  const { connect } = await wire({
    onChatError: (error, context?: ChatErrorContext) => {
      stages.push(context?.stage);
      return error;
    },
  });
  const tab = await connect();
  tab.send({ type: REQUEST, id: "bad", init: post("{") });
  await tab.caughtUp();
  await expect.poll(() => stages).toEqual(["parse"]);
});

test("frames of the chat with fields missing, or of wrong types, change nothing and break nothing", async () => {
  const { agent, connect } = await wire({ script: () => callTool("browse", {}, "c1") });
  const tab = await connect();
  await tab.ended(tab.request([userMessage("go")], { clientTools: [clientTool("browse")] }));
  const before = await stored(agent);
  for (const type of [
    REQUEST,
    "cf_agent_chat_request_cancel",
    "cf_agent_stream_resume_ack",
    "cf_agent_stream_resume_request",
    "cf_agent_tool_result",
    "cf_agent_tool_approval",
    "cf_agent_chat_messages",
  ]) {
    tab.send({ type });
    tab.send({ type, id: 7, toolCallId: 7, toolName: 7, approved: "yes", probeId: 7, init: 7, messages: 7 });
    tab.send({ type, id: null, toolCallId: null, toolName: null, approved: null, probeId: null, init: null });
  }
  await tab.caughtUp();
  expect(await stored(agent)).toEqual(before);
  expect(await tab.ended(tab.request([userMessage("still there?")]))).toMatchObject({ outcome: "completed" });
});

test.for<[string, unknown]>([
  ["no list", "browse"],
  ["a list of nothing", [null]],
  ["a tool without a name", [{ description: "?" }]],
  ["parameters that are no schema", [{ name: "browse", parameters: "none" }]],
])("a request whose client tools are %s comes to an end", async ([, clientTools]) => {
  const { connect } = await wire();
  const tab = await connect();
  const id = tab.request([userMessage("Hi")], { body: { clientTools } });
  await tab.ended(id);
  expect(tab.framesOf(id).filter(({ done }) => done)).toHaveLength(1);
});

test("P10, T-83: a transcript that a client pushes does not change the server's", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const { agent, connect } = await wire();
  const [tab, other] = [await connect(), await connect()];
  await tab.ended(tab.request([userMessage("Hi", "u1")]));
  await other.caughtUp();
  const before = await stored(agent);
  const from = other.chat.length;
  tab.send({ type: "cf_agent_chat_messages", messages: [userMessage("forged", "u9")] });
  await tab.caughtUp();
  await other.caughtUp();
  expect(await stored(agent)).toEqual(before);
  expect(other.chat.slice(from)).toEqual([]);
});
