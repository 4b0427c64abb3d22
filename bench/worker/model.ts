/**
 * The model both variants talk to: a three-word answer, at once, with no network and no timers. It also is
 * the benchmark's only clock inside a turn: each call is one tick, so nothing has to be hooked into the
 * class under test. While held, calls wait, and submissions queue up behind the first.
 */
import type { LanguageModel } from "ai";

type Model = Extract<LanguageModel, { specificationVersion: "v4" }>;
type StreamResult = Awaited<ReturnType<Model["doStream"]>>;
type StreamPart = StreamResult["stream"] extends ReadableStream<infer Part> ? Part : never;

const ANSWER: StreamPart[] = [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "All " },
  { type: "text-delta", id: "t", delta: "is " },
  { type: "text-delta", id: "t", delta: "well." },
  { type: "text-end", id: "t" },
  {
    type: "finish",
    finishReason: { unified: "stop", raw: "stop" },
    usage: {
      inputTokens: { total: 5, noCache: 5, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 3, text: 3, reasoning: 0 },
    },
  },
];

export interface BenchModel {
  readonly model: Model;
  hold(): void;
  release(): void;
}

export function benchModel(onCall: () => void): BenchModel {
  let held: Promise<void> | undefined;
  let open: (() => void) | undefined;
  return {
    hold() {
      held = new Promise((resolve) => (open = resolve));
    },
    release() {
      open?.();
      held = undefined;
    },
    model: {
      specificationVersion: "v4",
      provider: "bench",
      modelId: "instant",
      supportedUrls: {},
      doGenerate: () => Promise.reject(new Error("The benchmark's model only streams.")),
      async doStream() {
        onCall();
        if (held) await held;
        const stream = new ReadableStream<StreamPart>({
          start(controller) {
            for (const part of ANSWER) controller.enqueue(part);
            controller.close();
          },
        });
        return { stream };
      },
    },
  };
}
