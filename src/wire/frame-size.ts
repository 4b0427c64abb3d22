// A frame is refused by its size before it is parsed: small JSON values take many times their text in memory.
import { FRAMES } from "./adapter.ts";

/**
 * Bytes of one frame. workerd takes 32 MiB, but an object has 128 MiB for everything: the text, the body inside of it
 * as a text of its own, and the values of that body are there at once. A whole transcript fits well.
 */
export const MAX_FRAME_BYTES = 8 * 1024 * 1024;

export function isTooLarge(text: string): boolean {
  if (text.length > MAX_FRAME_BYTES) return true;
  // UTF-8 takes at most three bytes for a UTF-16 unit: most frames need no exact count.
  return text.length * 3 > MAX_FRAME_BYTES && new TextEncoder().encode(text).byteLength > MAX_FRAME_BYTES;
}

const TYPE = String.raw`"type"\s*:\s*"(?<type>cf_agent_[a-z_]+)"`;
const ID = String.raw`"id"\s*:\s*"(?<id>[^"\\]{1,512})"`;

/** How a frame of ours begins or ends that was written with `JSON.stringify`, with the type first, second or last. */
const BEGIN = new RegExp(String.raw`^\s*\{\s*(?:${ID}\s*,\s*)?${TYPE}`);
const END = new RegExp(String.raw`[,{]\s*${TYPE}\s*\}\s*$`);
const REQUEST_ID = new RegExp(String.raw`^\s*\{\s*(?:"type"\s*:\s*"[a-z_]+"\s*,\s*)?${ID}`);

/** What can be told of a frame without parsing it. Without a type it is none of ours, or hides that well. */
export function glance(text: string): { type?: string | undefined; requestId?: string | undefined } {
  const [head, tail] = [text.slice(0, 2048), text.slice(-2048)];
  const type = BEGIN.exec(head)?.groups?.["type"] ?? END.exec(tail)?.groups?.["type"];
  if (type === undefined) return {};
  const requestId = type === FRAMES.USE_CHAT_REQUEST ? REQUEST_ID.exec(head)?.groups?.["id"] : undefined;
  return { type, requestId };
}
