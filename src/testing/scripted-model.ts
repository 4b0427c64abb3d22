import { MockLanguageModelV4 } from "ai/test";
import { type Reply, replyStream } from "./replies.ts";

/** What the scripted model is asked. */
export type ModelCall = {
  /** The prompt as the provider would get it. */
  readonly prompt: Parameters<MockLanguageModelV4["doStream"]>[0]["prompt"];
  /** Which call of this model it is, from 0. */
  readonly index: number;
  readonly signal: AbortSignal | undefined;
};

export type Script = (call: ModelCall) => Reply | Promise<Reply>;

/** A language model that says what a test wants, and remembers what it was asked. */
export type ScriptedModel = MockLanguageModelV4 & { readonly calls: readonly ModelCall[] };

/**
 * A model for tests: no network, no delay, no surprise.
 *
 * @param script - One reply for every call, or a function of the call.
 *
 * @example
 * const model = scriptedModel(({ index }) => (index === 0 ? callTool("weather", { city: "Oslo" }) : text("It rains.")));
 */
export function scriptedModel(script: Reply | Script): ScriptedModel {
  const calls: ModelCall[] = [];
  const model = new MockLanguageModelV4({
    modelId: "scripted",
    doStream: async ({ prompt, abortSignal }) => {
      const call: ModelCall = { prompt, index: calls.length, signal: abortSignal };
      calls.push(call);
      const reply = typeof script === "function" ? await script(call) : script;
      return { stream: replyStream(reply, abortSignal) };
    },
  });
  return Object.assign(model, { calls });
}
