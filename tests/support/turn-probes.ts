import type { UIMessage } from "ai";
import type { StreamCallback } from "../../src/index.ts";
import { type Reply, type Script, text, textAround } from "../../src/testing/index.ts";
import type { TurnAgent } from "./turn-agent.ts";

/** One reply for each model call of an agent; the last one for all that follow. */
export const inTurn =
  (...replies: readonly [Reply, ...Reply[]]): Script =>
  ({ index }) =>
    replies[Math.min(index, replies.length - 1)] as Reply;

/** One step that calls several tools at once. */
export const callTools = (...calls: readonly Reply[]): Reply => ({
  steps: [...calls.flatMap(({ steps }) => steps.slice(0, -1)), ...(calls.at(-1)?.steps.slice(-1) ?? [])],
});

/** A first answer that waits in its middle until it is opened; later model calls answer at once. */
export function heldTurn(before = "half", after = " whole") {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  return {
    script: inTurn(textAround(before, gate.promise, after), text("next")),
    /** The metadata callback is called as a part is taken into the message: what came before it is in. */
    configure: (agent: TurnAgent): void => {
      agent.messageMetadata = ({ part }) => {
        if (part.type === "text-delta" && part.text === before) reached.resolve();
        return undefined;
      };
    },
    /** Resolves when the first half has been taken into the message. */
    reached: reached.promise,
    open: gate.resolve,
  };
}

/** A callback that writes down what it is told. */
export function listener(also: Partial<StreamCallback> = {}) {
  const calls: string[] = [];
  const chunks: { type: string; [key: string]: unknown }[] = [];
  const callback: StreamCallback = {
    onStart: async (event) => {
      calls.push("start");
      await also.onStart?.(event);
    },
    onEvent: async (json) => {
      chunks.push(JSON.parse(json) as { type: string });
      await also.onEvent?.(json);
    },
    onDone: async () => {
      calls.push("done");
      await also.onDone?.();
    },
    onError: async (error) => {
      calls.push(`error: ${error}`);
      await also.onError?.(error);
    },
  };
  return { callback, calls, chunks };
}

/** The text of a message. */
export const textOf = (message: UIMessage | undefined): string =>
  (message?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");

/** The conversation as `role: text`, oldest first. */
export const transcript = async (agent: TurnAgent): Promise<string[]> =>
  (await agent.getMessages()).map((message) => `${message.role}: ${textOf(message)}`);

/** The tool parts of a message. */
export const toolParts = (message: UIMessage | undefined) =>
  (message?.parts ?? []).filter((part) => part.type.startsWith("tool-")) as {
    type: string;
    toolCallId: string;
    state: string;
    input?: unknown;
    output?: unknown;
    errorText?: string;
  }[];

/** Types of the events of one turn, oldest first. */
export const eventsOf = async (agent: TurnAgent, requestId: string): Promise<string[]> =>
  (await agent.auditLog({ submissionId: requestId })).events.map(({ type }) => type);
