import type { MockLanguageModelV4 } from "ai/test";

type StreamPart =
  Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

/** One answer of a scripted model: what it streams, and what it waits for on the way. */
export type Reply = { readonly steps: readonly (StreamPart | Promise<unknown>)[] };

/** An answer in words; one chunk for each piece. */
export const text = (...pieces: string[]): Reply => ({ steps: [...textParts(pieces), finish("stop")] });

/** Words, then a wait, then more words: to look at a turn while it streams. */
export const textAround = (before: string, gate: Promise<unknown>, after: string): Reply => ({
  steps: [
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: before },
    gate,
    { type: "text-delta", id: "1", delta: after },
    { type: "text-end", id: "1" },
    finish("stop"),
  ],
});

/** A call of one tool. */
export const callTool = (toolName: string, input: unknown, toolCallId = `call-${toolName}`): Reply => ({
  steps: [{ type: "tool-call", toolCallId, toolName, input: JSON.stringify(input) }, finish("tool-calls")],
});

/** An error that the provider reports in its stream, after what it said until then. */
export const streamError = (message: string, ...pieces: string[]): Reply => ({
  steps: [...textParts(pieces), { type: "error", error: new Error(message) }, finish("error")],
});

/** A stream that never goes on; it ends only when it is aborted. */
export const stall = (...pieces: string[]): Reply => ({
  steps: [...textParts(pieces), new Promise<never>(() => {})],
});

/** A stream that ends in good order with nothing in it. */
export const empty = (): Reply => ({ steps: [finish("stop")] });

/** @internal The reply as the stream a provider would give. */
export function replyStream({ steps }: Reply, signal: AbortSignal | undefined): ReadableStream<StreamPart> {
  const aborted = new Promise<never>((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {});
  const parts = [{ type: "stream-start", warnings: [] } satisfies StreamPart, ...steps][Symbol.iterator]();
  return new ReadableStream<StreamPart>({
    async pull(controller) {
      for (;;) {
        const { value, done } = parts.next();
        if (done) return controller.close();
        if (!(value instanceof Promise)) return controller.enqueue(value);
        await Promise.race([value, aborted]);
      }
    },
  });
}

const textParts = (pieces: readonly string[]): StreamPart[] =>
  pieces.length === 0
    ? []
    : [
        { type: "text-start", id: "1" },
        ...pieces.map((delta) => ({ type: "text-delta", id: "1", delta }) satisfies StreamPart),
        { type: "text-end", id: "1" },
      ];

const finish = (unified: "stop" | "tool-calls" | "error"): StreamPart => ({
  type: "finish",
  finishReason: { unified, raw: unified },
  usage: {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 },
  },
});
