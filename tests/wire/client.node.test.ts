// The client that people have in their browsers, without a browser or a server: it and we must mean the same.
import { WebSocketChatTransport } from "agents/chat/transport";
import type { UIMessage, UIMessageChunk } from "ai";
import { expect, test } from "vitest";
import { type Incoming, readFrame } from "../../src/wire/incoming.ts";
import {
  chunkFrame,
  errorChunkFrame,
  replayCompleteFrame,
  resumeNoneFrame,
  resumingFrame,
  terminalFrame,
} from "../../src/wire/outgoing.ts";

/** A socket with `server` at its other end. Resume frames go where the hook of the client hands them on. */
function connect(server: (frame: Incoming | undefined, say: (text: string) => void) => void) {
  const events = new EventTarget();
  const say = (text: string) => {
    const frame = JSON.parse(text) as { type: string; id: string; probeId?: string };
    if (frame.type === "cf_agent_stream_resuming") transport.handleStreamResuming(frame);
    else if (frame.type === "cf_agent_stream_resume_none") transport.handleStreamResumeNone(frame);
    else events.dispatchEvent(new MessageEvent("message", { data: text }));
  };
  const transport = new WebSocketChatTransport({
    agent: {
      send: (text) => queueMicrotask(() => server(readFrame(text), say)),
      addEventListener: (type, listener, options) =>
        events.addEventListener(type, listener as (event: Event) => void, options),
      removeEventListener: (type, listener) => events.removeEventListener(type, listener as (event: Event) => void),
    },
  });
  return transport;
}

const messages: UIMessage[] = [{ id: "m1", role: "user", parts: [{ type: "text", text: "hello" }] }];

const submit = (transport: WebSocketChatTransport, body: object = {}) =>
  transport.sendMessages({
    trigger: "submit-message",
    chatId: "chat",
    messages,
    abortSignal: undefined,
    body,
  });

async function read(stream: ReadableStream<UIMessageChunk> | null) {
  const chunks: UIMessageChunk[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk);
  return chunks;
}

const delta = (text: string): UIMessageChunk => ({ type: "text-delta", id: "t", delta: text });
const json = (text: string) => JSON.stringify(delta(text));

test("its request is understood, and it understands the answer", async () => {
  const seen: (Incoming | undefined)[] = [];
  const client = connect((frame, say) => {
    seen.push(frame);
    const id = (frame as { requestId: string }).requestId;
    say(chunkFrame({ id: "another", chunk: json("no") }));
    say(chunkFrame({ id, chunk: json("one"), seq: 0 }));
    say(chunkFrame({ id, chunk: json("two"), seq: 1 }));
    say(terminalFrame({ id, outcome: "completed", messageIds: ["m1"] }));
  });
  const body = { clientTools: [{ name: "pick" }], tenant: "a" };
  expect(await read(await submit(client, body))).toEqual([delta("one"), delta("two")]);
  expect(seen).toEqual([
    {
      kind: "chat-request",
      requestId: expect.any(String),
      trigger: "submit-message",
      messages,
      clientTools: [{ name: "pick" }],
      body: { tenant: "a" },
    },
  ]);
});

test("W2: it learns what is wrong with a request and does not wait for ever", async () => {
  const client = connect((frame, say) => {
    if (frame?.kind === "malformed") say(terminalFrame({ id: frame.requestId ?? "", error: frame.error }));
  });
  await expect(submit(client, { clientTools: "pick" }).then(read)).rejects.toThrow("clientTools must be an array");
  await expect(submit(client, { text: "x".repeat(8 * 1024 * 1024) }).then(read)).rejects.toThrow("frame is larger");
});

test("P64: an error within the stream ends it", async () => {
  const client = connect((frame, say) => {
    const id = (frame as { requestId: string }).requestId;
    say(errorChunkFrame({ id, error: "overloaded" }));
    say(terminalFrame({ id, outcome: "error" }));
  });
  await expect(submit(client).then(read)).rejects.toThrow("overloaded");
});

test("P25: it shows no notice, and ends all the same", async () => {
  const client = connect((frame, say) => {
    say(terminalFrame({ id: (frame as { requestId: string }).requestId, notice: "No response was generated." }));
  });
  expect(await read(await submit(client))).toEqual([]);
});

test("P52: it resumes a stream with what is stored and goes on with what is live", async () => {
  const kinds: (string | undefined)[] = [];
  const client = connect((frame, say) => {
    kinds.push(frame?.kind);
    if (frame?.kind === "resume-request") say(resumingFrame("r1", frame.probeId));
    if (frame?.kind !== "resume-ack") return;
    const id = frame.requestId;
    say(chunkFrame({ id, chunk: json("stored"), seq: 0, replay: true }));
    say(replayCompleteFrame({ id }));
    say(chunkFrame({ id, chunk: json("live"), seq: 1 }));
    say(terminalFrame({ id, outcome: "completed" }));
  });
  const chunks = await read(await client.reconnectToStream({ chatId: "chat" }));
  expect(chunks).toEqual([delta("stored"), delta("live")]);
  expect(kinds).toEqual(["resume-request", "resume-ack"]);
});

test("P49: it hears that there is nothing to resume, for its own probe only", async () => {
  const client = connect((frame, say) => {
    if (frame?.kind !== "resume-request") return;
    say(resumeNoneFrame("idle", "another"));
    expect(client.isAwaitingResume()).toBe(true);
    say(resumeNoneFrame("idle", frame.probeId));
  });
  expect(await client.reconnectToStream({ chatId: "chat" })).toBeNull();
});

test("its cancel is understood", async () => {
  const seen: (Incoming | undefined)[] = [];
  const client = connect((frame) => seen.push(frame));
  const stream = await submit(client);
  client.cancelActiveServerTurn();
  await expect(read(stream)).rejects.toThrow("Aborted");
  expect(seen.map((frame) => frame?.kind)).toEqual(["chat-request", "cancel"]);
});
