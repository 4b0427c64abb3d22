// Performs a script as the stream parts of the AI SDK: a word at a time with small delays, abortable anywhere.
import { never, pause } from "../../pause.ts";
import type { Model } from "../port.ts";
import type { Beat } from "./script.ts";

export type StreamPart =
  Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

const WORD_MS = 40;

export async function* perform(script: Beat[], signal: AbortSignal): AsyncGenerator<StreamPart> {
  yield { type: "stream-start", warnings: [] };
  let words = 0;
  for (const [index, beat] of script.entries()) {
    const id = String(index);
    switch (beat.kind) {
      case "say":
        yield { type: "text-start", id };
        for (const delta of wordsOf(beat.text)) {
          await pause(WORD_MS, signal);
          yield { type: "text-delta", id, delta };
          words += 1;
        }
        yield { type: "text-end", id };
        break;
      case "think": {
        const thoughts = wordsOf(beat.text);
        yield { type: "reasoning-start", id };
        for (const delta of thoughts) {
          await pause(beat.ms / thoughts.length, signal);
          yield { type: "reasoning-delta", id, delta };
          words += 1;
        }
        yield { type: "reasoning-end", id };
        break;
      }
      case "call": {
        await pause(WORD_MS, signal);
        const call = { toolCallId: crypto.randomUUID(), toolName: beat.tool, input: JSON.stringify(beat.input) };
        yield { type: "tool-call", ...call };
        break;
      }
      case "stall":
        await never(signal);
        break;
      case "fail":
        throw new Error(beat.message);
    }
  }
  yield { type: "finish", finishReason: reasonFor(script), usage: usageOf(words) };
}

function wordsOf(text: string): string[] {
  return text.match(/\S+\s*/g) ?? [];
}

function reasonFor(script: Beat[]): Extract<StreamPart, { type: "finish" }>["finishReason"] {
  const unified = script.some((beat) => beat.kind === "call") ? "tool-calls" : "stop";
  return { unified, raw: unified };
}

/** One word is one token here: good enough to show that usage is on the record. */
function usageOf(words: number): Extract<StreamPart, { type: "finish" }>["usage"] {
  return {
    inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: words, text: words, reasoning: undefined },
  };
}
