// The offline model: the AI SDK's language model interface over a script. Deterministic, and needs no key.
import type { ChosenModel, Model } from "../port.ts";
import { type CallOptions, readConversation } from "./conversation.ts";
import { perform, type StreamPart } from "./perform.ts";
import { writeScript } from "./script.ts";

const NAME = "scripted-1";

export function scriptedModel(): ChosenModel {
  return { kind: "scripted", name: NAME, model: new ScriptedModel() };
}

class ScriptedModel implements Model {
  readonly specificationVersion = "v4";
  readonly provider = "scripted";
  readonly modelId = NAME;
  readonly supportedUrls = {};

  async doStream(options: CallOptions): Promise<Awaited<ReturnType<Model["doStream"]>>> {
    return {
      stream: toStream((signal) => perform(writeScript(readConversation(options)), signal), options.abortSignal),
    };
  }

  async doGenerate(options: CallOptions): Promise<Awaited<ReturnType<Model["doGenerate"]>>> {
    const { stream } = await this.doStream(options);
    const texts = new Map<string, string>();
    const calls: Extract<StreamPart, { type: "tool-call" }>[] = [];
    for await (const part of stream) {
      if (part.type === "text-delta") texts.set(part.id, (texts.get(part.id) ?? "") + part.delta);
      if (part.type === "tool-call") calls.push(part);
      if (part.type === "error") throw part.error;
      if (part.type === "finish") {
        const text = [...texts.values()].map((value) => ({ type: "text" as const, text: value }));
        return { content: [...text, ...calls], finishReason: part.finishReason, usage: part.usage, warnings: [] };
      }
    }
    throw new Error("The script ended without a finish.");
  }
}

/** Stops the performance when the caller aborts, and also when nobody reads the stream any more. */
function toStream(
  play: (signal: AbortSignal) => AsyncGenerator<StreamPart>,
  outside: AbortSignal = new AbortController().signal,
): ReadableStream<StreamPart> {
  const unread = new AbortController();
  const parts = play(AbortSignal.any([outside, unread.signal]));
  return new ReadableStream<StreamPart>({
    async pull(controller) {
      try {
        const next = await parts.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        if (outside.aborted) return controller.error(error);
        // A provider reports a failure half way as a part of the stream; the AI SDK expects that.
        controller.enqueue({ type: "error", error });
        controller.close();
      }
    },
    cancel(reason) {
      unread.abort(reason);
    },
  });
}
