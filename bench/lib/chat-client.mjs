/**
 * A chat client as small as it can be: it looks at frames as text and parses none, as thousands come and the process
 * that takes them shares the machine with the object. The JSON inside of a frame is escaped, so a look is enough.
 */
import { randomUUID } from "node:crypto";

const TIMEOUT_MS = 60_000;
const RESPONSE = '"type":"cf_agent_use_chat_response"';

export const isResponse = (frame) => frame.includes(RESPONSE);
export const isTerminal = (frame) => isResponse(frame) && frame.includes('"done":true');
export const isReplayComplete = (frame) => isResponse(frame) && frame.includes('"replayComplete":true');
export const isResuming = (frame) => frame.includes('"type":"cf_agent_stream_resuming"');

/** Is one piece of text; matches the chunk inside of the frame. */
export const isDelta = (frame) => isResponse(frame) && frame.includes("text-delta");

/** Opens a socket to the agent. */
export async function connectChat(url) {
  const socket = new WebSocket(url);
  const waiting = new Set();
  socket.addEventListener("message", ({ data }) => {
    for (const wait of waiting) wait(data);
  });

  /** Resolves to the time of the `count`th frame that passes `test`, and the frame. */
  const until = (test, count = 1) =>
    new Promise((resolve, reject) => {
      let left = count;
      const timer = setTimeout(() => {
        waiting.delete(wait);
        reject(new Error(`${left} of ${count} frames (${test.name}) did not come within ${TIMEOUT_MS / 1000} s.`));
      }, TIMEOUT_MS);
      const wait = (frame) => {
        if (!test(frame) || --left > 0) return;
        waiting.delete(wait);
        clearTimeout(timer);
        resolve({ at: performance.now(), frame });
      };
      waiting.add(wait);
    });

  const send = (frame) => socket.send(JSON.stringify(frame));
  const client = {
    until,
    /** Sends a user message; answers when that was. */
    ask() {
      const message = { id: randomUUID(), role: "user", parts: [{ type: "text", text: "How is everything?" }] };
      const init = { method: "POST", body: JSON.stringify({ messages: [message], trigger: "submit-message" }) };
      const frame = { type: "cf_agent_use_chat_request", id: randomUUID(), init };
      const at = performance.now();
      send(frame);
      return at;
    },
    requestResume: () => send({ type: "cf_agent_stream_resume_request" }),
    acknowledge: (id) => send({ type: "cf_agent_stream_resume_ack", id }),
    close: () => socket.close(),
  };
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", () => reject(new Error(`No WebSocket at ${new URL(url).pathname}.`)), {
      once: true,
    });
  });
  return client;
}
