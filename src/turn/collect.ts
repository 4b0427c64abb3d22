import type { TextStreamPart } from "ai";
import { type ToolSet, toUIMessageChunk, type UIMessage, type UIMessageChunk } from "./ai-sdk.ts";
import { AnswerMessage } from "./answer-message.ts";
import { messageOf } from "../engine/message-of.ts";
import { untilAborted } from "./guarded.ts";
import type { MessageMetadataCallback } from "./hook-types.ts";
import type { LiveAnswer } from "./ports.ts";
import { withoutFinalAnswer } from "./structured/strip.ts";

type CollectOptions = {
  readonly messageId: string;
  readonly tools: ToolSet;
  readonly sendReasoning: boolean;
  readonly messageMetadata: MessageMetadataCallback | undefined;
  readonly continuation: boolean;
  /** Gives the answer as far as it has come, while it streams. */
  readonly live: LiveAnswer;
  /** Hears each chunk; what it throws ends the turn as an error of the stream. */
  readonly onChunk: ((chunk: UIMessageChunk) => Promise<void>) | undefined;
  readonly signal: AbortSignal;
};

/**
 * Put the streamed parts together as one message, and pass each on. Nothing after an error part is taken,
 * and a stream that breaks off leaves what came until then.
 */
export async function collect(
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  options: CollectOptions,
): Promise<{ message?: UIMessage; whole?: UIMessage; error?: unknown }> {
  const answer = new AnswerMessage(options.messageId);
  let failure: { error: unknown } | undefined;
  options.live.message = () => answer.snapshot();
  try {
    for await (const part of stream) {
      if (part.type === "error") {
        failure = { error: part.error };
        break;
      }
      for (const chunk of chunksOf(part, options)) {
        answer.apply(chunk);
        await handOn(chunk, options);
      }
    }
  } catch (error) {
    failure ??= { error };
  } finally {
    options.live.message = undefined;
  }
  try {
    const whole = answer.stored();
    const message = whole && withoutFinalAnswer(whole);
    return { ...(message && { message }), ...(whole && whole !== message && { whole }), ...failure };
  } catch (error) {
    return failure ?? { error };
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
