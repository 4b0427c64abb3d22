// The user message of a submission. Think compares a retry with the first submission message by message, ids included;
// so under a key (or id) the same text must make the same message, and another text another one.
import type { SubmitMessagesOptions } from "../../src/index.ts";
import type { UIMessage } from "ai";

export async function promptMessage(text: string, options: SubmitMessagesOptions): Promise<UIMessage> {
  const name = options.idempotencyKey ?? options.submissionId;
  const id = name === undefined ? crypto.randomUUID() : await digest(JSON.stringify([name, text]));
  return { id, role: "user", parts: [{ type: "text", text }] };
}

async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(hash, 0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
