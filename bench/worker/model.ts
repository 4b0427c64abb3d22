/**
 * The model both variants talk to: a three-word answer, at once, with no network and no timers; or first so many
 * calls of a tool. It also is the benchmark's only clock inside a turn: each call is one tick, so nothing has to
 * be hooked into the class under test. While held, calls wait, and submissions queue up behind the first.
 */
import type { LanguageModel } from "ai";

type Model = Extract<LanguageModel, { specificationVersion: "v4" }>;
type StreamResult = Awaited<ReturnType<Model["doStream"]>>;
type StreamPart = StreamResult["stream"] extends ReadableStream<infer Part> ? Part : never;

const USAGE = {
  inputTokens: { total: 5, noCache: 5, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
};

const ANSWER: StreamPart[] = [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "All " },
  { type: "text-delta", id: "t", delta: "is " },
  { type: "text-delta", id: "t", delta: "well." },
  { type: "text-end", id: "t" },
  { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: USAGE },
];

/** The tool by which a workflow's prompt is answered. */
const FINAL_ANSWER = "think_final_answer";

const FINAL = called(FINAL_ANSWER, "final", '{"answer":"All is well."}');

const toolCall = (toolCallId: string): StreamPart[] => called("look", toolCallId, '{"at":"the next page"}');

function called(toolName: string, toolCallId: string, input: string): StreamPart[] {
  return [
    { type: "stream-start", warnings: [] },
    { type: "tool-call", toolCallId, toolName, input },
    { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage: USAGE },
  ];
}

/** Piece by piece, as fast as it is read. */
function longAnswer(count: number, gate: Promise<void> | undefined): ReadableStream<StreamPart> {
  let sent = 0;
  return new ReadableStream<StreamPart>({
    start(controller) {
      for (const part of ANSWER.slice(0, 2)) controller.enqueue(part);
    },
    async pull(controller) {
      if (sent < count) {
        controller.enqueue({ type: "text-delta", id: "t", delta: `word ${sent++} ` });
        return;
      }
      await gate;
      for (const part of ANSWER.slice(-2)) controller.enqueue(part);
      controller.close();
    },
  });
}

export interface BenchModel {
  readonly model: Model;
  hold(): void;
  release(): void;
  /** The next `count` calls answer with a call of the tool `look`. */
  callTools(count: number): void;
  /** The next call answers with so many pieces of text; before it ends it waits for `letEnd` where it is `gated`. */
  answerLong(count: number, gated: boolean): void;
  letEnd(): void;
  /** Resolves when the model is called the next time. */
  called(): Promise<void>;
}

export function benchModel(onCall: () => void): BenchModel {
  let held: Promise<void> | undefined;
  let open: (() => void) | undefined;
  let toolCalls = 0;
  let tell: (() => void) | undefined;
  let long: { count: number; gate: Promise<void> | undefined } | undefined;
  let letEnd: (() => void) | undefined;
  return {
    hold() {
      held = new Promise((resolve) => (open = resolve));
    },
    release() {
      open?.();
      held = undefined;
    },
    callTools(count) {
      toolCalls = count;
    },
    answerLong(count, gated) {
      long = { count, gate: gated ? new Promise((resolve) => (letEnd = resolve)) : undefined };
    },
    letEnd: () => letEnd?.(),
    called: () => new Promise((resolve) => (tell = resolve)),
    model: {
      specificationVersion: "v4",
      provider: "bench",
      modelId: "instant",
      supportedUrls: {},
      doGenerate: () => Promise.reject(new Error("The benchmark's model only streams.")),
      async doStream({ tools }) {
        onCall();
        tell?.();
        if (held) await held;
        if (long) {
          const { count, gate } = long;
          long = undefined;
          return { stream: longAnswer(count, gate) };
        }
        const parts = tools?.some(({ name }) => name === FINAL_ANSWER)
          ? FINAL
          : toolCalls > 0
            ? toolCall(`look-${toolCalls}`)
            : ANSWER;
        if (toolCalls > 0) toolCalls -= 1;
        const stream = new ReadableStream<StreamPart>({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        });
        return { stream };
      },
    },
  };
}
