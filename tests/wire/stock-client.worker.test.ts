import { WebSocketChatTransport } from "agents/chat/transport";
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import { expect, test } from "vitest";
import { callTool, stall, streamError, text } from "../../src/testing/index.ts";
import { heldReply, replies } from "../support/scripts.ts";
import { userMessage } from "../support/test-agent.ts";
import { shownTranscript, type WireClient } from "./support/client.ts";
import { addTool } from "./support/tools.ts";
import { stored, wire } from "./support/wire.ts";

/** The transport of `agents` on a tab, and the part of its hook that hands it the frames of the handshake. */
function stockClient(tab: WireClient) {
  const transport = new WebSocketChatTransport<UIMessage>({
    agent: tab.socket as unknown as ConstructorParameters<typeof WebSocketChatTransport>[0]["agent"],
    cancelOnClientAbort: true,
  });
  tab.socket.addEventListener("message", ({ data }) => {
    const frame = JSON.parse(String(data)) as { type: string; id: string; probeId?: string };
    if (frame.type === "cf_agent_stream_resuming") transport.handleStreamResuming(frame);
    if (frame.type === "cf_agent_stream_resume_none") transport.handleStreamResumeNone(frame);
    if (frame.type === "cf_agent_stream_pending") transport.handleStreamPending();
  });
  const send = (
    messages: UIMessage[],
    trigger: "submit-message" | "regenerate-message" = "submit-message",
    abortSignal?: AbortSignal,
  ) => transport.sendMessages({ chatId: "chat", messages, trigger, abortSignal });
  return { transport, send };
}

/** The message that a stream of chunks makes, as the AI SDK makes it. */
async function messageOf(stream: ReadableStream<UIMessageChunk> | null): Promise<UIMessage | undefined> {
  let last: UIMessage | undefined;
  if (stream) for await (const message of readUIMessageStream({ stream, terminateOnError: true })) last = message;
  return last;
}

/** What a part says, without what only the one or the other side notes. */
const essence = (part: UIMessage["parts"][number]) => ({
  type: part.type,
  ...("text" in part && { text: part.text }),
  ...("toolCallId" in part && {
    toolCallId: part.toolCallId,
    state: part.state,
    input: part.input,
    output: part.output,
  }),
});

test("the transport of agents gets the answer, and makes of it the message that is stored", async () => {
  const { agent, connect } = await wire({
    tools: { add: addTool },
    script: replies(callTool("add", { a: 1, b: 2 }, "c1"), text("It is ", "3.")),
  });
  const { send } = stockClient(await connect());
  const answer = await messageOf(await send([userMessage("1 + 2?", "u1")]));
  const kept = (await stored(agent)).at(-1);
  expect(answer?.id).toBe(kept?.id);
  expect(answer?.parts.map(essence)).toEqual(kept?.parts.map(essence));
  expect(answer?.parts.map(essence)).toContainEqual(expect.objectContaining({ toolCallId: "c1", output: 3 }));
});

test("it sends its transcript back with the next question, and regenerates", async () => {
  const { agent, connect } = await wire({ script: ({ index }) => text(`answer ${index}`) });
  const { send } = stockClient(await connect());
  const messages: UIMessage[] = [userMessage("one", "u1")];
  const first = await messageOf(await send(messages));
  if (first) messages.push(first, userMessage("two", "u2"));
  await messageOf(await send(messages));
  await messageOf(await send(messages, "regenerate-message"));
  expect(shownTranscript(await stored(agent))).toEqual([
    "user: one",
    "assistant: answer 0",
    "user: two",
    "assistant: answer 2",
  ]);
});

test("P64: it gets the error of a provider as the error of its stream", async () => {
  const { connect } = await wire({ script: () => streamError("overloaded", "so far") });
  const { send } = stockClient(await connect());
  await expect(send([userMessage("Hi")]).then(messageOf)).rejects.toThrow("overloaded");
});

test("P64: an error before the stream reaches it too", async () => {
  const { connect } = await wire({
    beforeTurn: () => {
      throw new Error("no budget");
    },
  });
  const { send } = stockClient(await connect());
  await expect(send([userMessage("Hi")]).then(messageOf)).rejects.toThrow("no budget");
});

test("P65: when it is aborted the turn is cancelled, and what was said is kept", async () => {
  const { agent, connect } = await wire({ script: () => stall("half") });
  const [tab, other] = [await connect(), await connect()];
  const { send } = stockClient(tab);
  const stop = new AbortController();
  const stream = await send([userMessage("Hi")], "submit-message", stop.signal);
  const reading = messageOf(stream).catch(() => undefined);
  const { id = "" } = await other.waitForType("cf_agent_use_chat_response");
  await other.said(id, "half");
  stop.abort();
  expect(await other.ended(id)).toMatchObject({ outcome: "aborted" });
  await reading;
  expect(shownTranscript(await stored(agent))).toEqual(["user: Hi", "assistant: half"]);
});

test("it resumes an answer in its middle, and has it whole", async () => {
  const held = heldReply();
  const { agent, connect } = await wire({ script: held.script });
  const first = await connect();
  const id = first.request([userMessage("Hi")]);
  await first.said(id, "before");
  const tab = await connect();
  const { transport } = stockClient(tab);
  const stream = await transport.reconnectToStream({ chatId: "chat" });
  const reading = messageOf(stream);
  await tab.said(id, "before");
  held.open();
  const answer = await reading;
  expect(answer?.id).toBe((await stored(agent)).at(-1)?.id);
  expect(shownTranscript(answer ? [answer] : [])).toEqual(["assistant: before after"]);
});

test("FR-64: with nothing to resume it is told so at once", async () => {
  const { connect } = await wire();
  const { transport } = stockClient(await connect());
  expect(await transport.reconnectToStream({ chatId: "chat" })).toBeNull();
});
