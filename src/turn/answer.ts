import { StreamAccumulator } from "agents/chat";
import type { Conversation, StepRecord, TurnRecorder } from "../engine/ports.ts";
import { messageOf } from "../engine/message-of.ts";
import {
  isStepCount,
  type LanguageModel,
  streamText,
  type ToolSet,
  toUIMessageChunk,
  type UIMessage,
} from "./ai-sdk.ts";
import { toModelMessages } from "./model-messages.ts";
import { recordedTools } from "./recorded-tools.ts";
import { stepRecord } from "./step-record.ts";

/** What the agent brings to a turn. */
export type AnswerSettings = {
  readonly model: LanguageModel;
  readonly system: string;
  readonly tools: ToolSet;
  /** Model steps at the most. */
  readonly maxSteps: number;
};

export type AnswerPorts = {
  readonly conversation: Conversation;
  readonly messageId: () => string;
  readonly settings: () => AnswerSettings;
};

export type Answer = {
  /** What was answered, also when it is only a part; absent when it is nothing. */
  readonly message?: UIMessage;
  /** What the stream reported as its error. */
  readonly error?: string;
  /** Steps that are not on record yet. */
  readonly steps: readonly StepRecord[];
};

/** The agentic loop: model steps and tool calls until the model is done, put together as one message. */
export async function answer(ports: AnswerPorts, record: TurnRecorder, signal: AbortSignal): Promise<Answer> {
  const { model, system, tools, maxSteps } = ports.settings();
  const messages = await toModelMessages(ports.conversation.messages(), tools);
  if (messages.length === 0) throw new Error(NO_MESSAGES);

  const steps: StepRecord[] = [];
  let step = 0;
  const result = streamText({
    model,
    system,
    messages,
    allowSystemInMessages: true,
    tools: recordedTools(tools, (call) => {
      if (!record.toolStarts({ step, ...call })) throw new Error("The turn ended before this tool ran.");
    }),
    stopWhen: isStepCount(maxSteps),
    abortSignal: signal,
    onStepEnd: (finished) => {
      const facts = stepRecord(step, finished);
      step += 1;
      // With tool results a next step may follow: they are put on record before it. The last step waits for
      // the commit that ends the turn.
      if (facts.toolCalls.length > 0) record.stepFinished(facts);
      else steps.push(facts);
    },
    // Reported in the stream, where it becomes the turn's outcome; the default would only print it.
    onError: () => {},
  });
  return { ...(await collect(result.stream, ports.messageId(), tools)), steps };
}

/** Put the streamed parts together. A stream that breaks off leaves what came until then. */
async function collect(
  stream: AsyncIterable<Parameters<typeof toUIMessageChunk<ToolSet>>[0]>,
  messageId: string,
  tools: ToolSet,
): Promise<Pick<Answer, "message" | "error">> {
  const accumulator = new StreamAccumulator({ messageId });
  let error: string | undefined;
  try {
    for await (const part of stream) {
      const chunk = toUIMessageChunk(part, { tools, sendReasoning: true, onError: messageOf, redactToolErrors: false });
      if (!chunk) continue;
      const { action } = accumulator.applyChunk(chunk);
      if (action?.type === "error") error ??= action.error;
    }
  } catch (thrown) {
    error ??= messageOf(thrown);
  }
  const message = accumulator.toMessage();
  return {
    ...(message.parts.some(isContent) && { message }),
    ...(error !== undefined && { error }),
  };
}

/** A step boundary alone is nothing to keep. */
const isContent = (part: UIMessage["parts"][number]): boolean => part.type !== "step-start";

const NO_MESSAGES =
  "No messages to send to the model. This usually means the chat request arrived before any messages were persisted.";
