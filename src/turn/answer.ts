import type { StepRecord } from "../engine/ports.ts";
import type { UIMessage } from "./ai-sdk.ts";
import { answeredElsewhere } from "./answered-elsewhere.ts";
import { collect } from "./collect.ts";
import type { TurnPorts } from "./ports.ts";
import type { PreparedTurn } from "./prepare.ts";
import { StallWatchdog } from "./stall.ts";
import { StepLog } from "./step-log.ts";
import { type AnswerTurn, streamOptions } from "./stream-options.ts";
import { tracedStreamText } from "./traced.ts";

export type Answer = {
  /** What was answered, also when it is only a part; absent when it is nothing. */
  readonly message?: UIMessage;
  /** Stored messages that the answer changed. */
  readonly changed?: readonly UIMessage[];
  /** What went wrong in the stream. */
  readonly error?: unknown;
  /** The whole message, where a final answer in it is left out of what is kept. */
  readonly whole?: UIMessage;
  /** What `output` of the turn's configuration made of the text. */
  readonly output?: unknown;
  /** JSON of the answer of a structured turn. */
  readonly final?: string;
  /** Steps that are not on record yet. */
  readonly steps: readonly StepRecord[];
};

/** The agentic loop: model steps and tool calls until the model is done, put together as one message. */
export async function answer(ports: TurnPorts, prepared: PreparedTurn, turn: AnswerTurn): Promise<Answer> {
  const { settings, config, final } = prepared;
  const log = new StepLog(turn.record);
  const watchdog = new StallWatchdog(ports, turn.requestId, config.chatStreamStallTimeoutMs ?? settings.stallTimeoutMs);
  const options = streamOptions(ports, prepared, { ...turn, signal: watchdog.signal(turn.signal) }, log);
  const result = tracedStreamText(settings.tracing)(options);
  const { elsewhere, ...answered } = await collect(watchdog.watch(result.stream), {
    messageId: turn.messageId,
    tools: prepared.tools,
    sendReasoning: config.sendReasoning ?? settings.sendReasoning,
    messageMetadata: config.messageMetadata ?? settings.messageMetadata,
    continuation: turn.continuation,
    live: ports.live,
    listener: turn.listener,
    onChunk: turn.held.onChunk,
    signal: turn.signal,
  });
  const changed = answeredElsewhere(elsewhere, ports.conversation.messages());
  const collected = { ...answered, ...(changed.length > 0 && { changed }) };
  const steps = log.unrecorded;
  if (turn.signal.aborted) return { ...collected, steps };
  if (final) return { ...collected, ...final.outcome(collected.error), steps };
  const parsed = config.output && collected.error === undefined && (await parse(result.output));
  return { ...collected, ...parsed, steps };
}

/** Structured output that does not parse is the turn's error. */
async function parse(output: PromiseLike<unknown>): Promise<{ output: unknown } | { error: unknown }> {
  try {
    return { output: await output };
  } catch (error) {
    return { error };
  }
}
