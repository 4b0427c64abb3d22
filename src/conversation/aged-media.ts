import type { UIMessage } from "ai";

type Part = UIMessage["parts"][number];

/** Nesting of a tool's output that is looked into. */
const MAX_DEPTH = 8;

/**
 * A message with markers where large media was, for the model. The message itself is not touched: its bytes
 * stay in the conversation.
 */
export function withoutMedia(message: UIMessage, minPartBytes: number): UIMessage {
  let count = 0;
  const marker = (bytes: number, mediaType: string | undefined): string => {
    count += 1;
    const what = mediaType === undefined ? "" : `${mediaType}, `;
    return `[evicted ${what}${bytes} bytes; preserved in message ${message.id}, item ${count}]`;
  };
  const evict: Evict = (text, declared) => {
    const { mediaType, bytes } = measure(text);
    return bytes < minPartBytes ? undefined : marker(bytes, mediaType ?? declared);
  };
  const parts = message.parts.map((part) => shortened(part, evict));
  return count === 0 ? message : { ...message, parts };
}

/** The marker for a text that is large enough for one. */
type Evict = (text: string, declaredType: string | undefined) => string | undefined;

function shortened(part: Part, evict: Evict): Part {
  if (part.type === "file") {
    const text = part.url.startsWith("data:") ? evict(part.url, part.mediaType) : undefined;
    return text === undefined ? part : { type: "text", text };
  }
  const isTool = part.type.startsWith("tool-") || part.type === "dynamic-tool";
  // Providers read the results of their own tools by a schema of theirs.
  if (!isTool || !("output" in part) || ("providerExecuted" in part && part.providerExecuted)) return part;
  const output = shrink(part.output, evict, undefined, 0);
  return output === part.output ? part : ({ ...part, output } as Part);
}

/** The same shape with markers for large strings; the value itself when there are none. */
function shrink(value: unknown, evict: Evict, mediaType: string | undefined, depth: number): unknown {
  if (typeof value === "string") return evict(value, mediaType) ?? value;
  if (typeof value !== "object" || value === null || depth >= MAX_DEPTH) return value;
  const declared = "mediaType" in value && typeof value.mediaType === "string" ? value.mediaType : undefined;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => shrink(item, evict, undefined, depth + 1));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const entries = Object.entries(value).map(
    ([key, item]: [string, unknown]) => [key, item, shrink(item, evict, declared, depth + 1)] as const,
  );
  if (entries.every(([, before, after]) => before === after)) return value;
  return Object.fromEntries(entries.map(([key, , after]) => [key, after]));
}

/** What a text holds: the decoded size of a base64 data URL, else its size as UTF-8. */
function measure(text: string): { mediaType?: string; bytes: number } {
  if (!text.startsWith("data:")) return { bytes: new TextEncoder().encode(text).byteLength };
  const comma = text.indexOf(",");
  const header = text.slice("data:".length, Math.max(comma, "data:".length));
  const mediaType = header.split(";")[0] || "application/octet-stream";
  const payload = text.length - comma - 1;
  if (!header.endsWith(";base64")) return { mediaType, bytes: payload };
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return { mediaType, bytes: Math.floor((payload * 3) / 4) - padding };
}
