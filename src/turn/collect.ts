import type { TextStreamPart } from "ai";
import {
  ToolChoiceViolationError,
  type ToolSet,
  toUIMessageChunk,
  type UIMessage,
  type UIMessageChunk,
} from "./ai-sdk.ts";
import { AnswerMessage } from "./answer-message.ts";
import type { ElsewhereUpdate } from "./answered-elsewhere.ts";
import { messageOf } from "../engine/message-of.ts";
import { untilAborted } from "./guarded.ts";
import type { MessageMetadataCallback } from "./hook-types.ts";
import type { AnswerListener, LiveAnswer } from "./ports.ts";
import { withoutFinalAnswer } from "./structured/strip.ts";

type CollectOptions = {
  readonly messageId: string;
  readonly tools: ToolSet;
  readonly sendReasoning: boolean;
  readonly messageMetadata: MessageMetadataCallback | undefined;
  readonly continuation: boolean;
  /** Gives the answer as far as it has come, while it streams. */
  readonly live: LiveAnswer;
  readonly listener: AnswerListener;
  /** Hears each chunk; what it throws ends the turn as an error of the stream. */
  readonly onChunk: ((chunk: UIMessageChunk) => Promise<void>) | undefined;
  readonly signal: AbortSignal;
};

type Collected = {
  readonly message?: UIMessage;
  readonly whole?: UIMessage;
  readonly elsewhere: readonly ElsewhereUpdate[];
  readonly error?: unknown;
};

/**
 * Put the streamed parts together as one message, and pass each on. Nothing after an error part is taken,
 * and a stream that breaks off leaves what came until then.
 */
export async function collect(
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  options: CollectOptions,
): Promise<Collected> {
  const answer = new AnswerMessage(options.messageId);
  let failure: { error: unknown } | undefined;
  options.live.message = () => answer.snapshot();
  options.live.update = (part, toolCallId) => answer.replace(part, toolCallId);
  try {
    for await (const part of stream) {
      if (failure) continue;
      if (part.type === "error") {
        failure = { error: part.error };
        // The step is whole, only not what was asked for: it still ends, and goes on record with what it cost.
        if (ToolChoiceViolationError.isInstance(part.error)) continue;
        break;
      }
      for (const chunk of chunksOf(part, options)) {
        answer.apply(chunk);
        options.listener.chunk(chunk);
        await handOn(chunk, options);
      }
    }
  } catch (error) {
    failure ??= { error };
  } finally {
    options.live.message = undefined;
    options.live.update = undefined;
  }
  try {
    const whole = answer.stored();
    const message = whole && withoutFinalAnswer(whole);
    const { elsewhere } = answer;
    return { ...(message && { message }), ...(whole && whole !== message && { whole }), elsewhere, ...failure };
  } catch (error) {
    return { elsewhere: answer.elsewhere, ...(failure ?? { error }) };
  }
}

/** A caller who never takes the chunk keeps the turn waiting only until it is ended. */
async function handOn(chunk: UIMessageChunk, { onChunk, signal }: CollectOptions): Promise<void> {
  if (onChunk) await untilAborted(() => onChunk(chunk), signal);
}

function chunksOf(part: TextStreamPart<ToolSet>, options: CollectOptions): UIMessageChunk[] {
  const { tools, sendReasoning, messageMetadata, continuation, messageId } = options;
  const metadata = messageMetadata?.({ part, continuation });
  const chunk = toUIMessageChunk(part, {
    tools,
    sendReasoning,
    onError: messageOf,
    redactToolErrors: false,
    responseMessageId: messageId,
    messageMetadata: metadata,
  });
  // Only the first and the last chunk carry metadata themselves.
  const carried = chunk?.type === "start" || chunk?.type === "finish";
  const extra: UIMessageChunk[] = metadata && !carried ? [{ type: "message-metadata", messageMetadata: metadata }] : [];
  return chunk ? [chunk, ...extra] : extra;
}
