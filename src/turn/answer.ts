import type { HeldInput } from "../engine/lane/turn-inputs.ts";
import type { StepRecord, TurnRecorder } from "../engine/ports.ts";
import { type streamText, type ToolSet, type UIMessage } from "./ai-sdk.ts";
import { collect } from "./collect.ts";
import { observing, untilAborted } from "./guarded.ts";
import { hookedTools } from "./hooked-tools.ts";
import type { OverflowGuard } from "./overflow.ts";
import { passedThrough } from "./passed-through.ts";
import type { TurnPorts } from "./ports.ts";
import type { PreparedTurn } from "./prepare.ts";
import { atMost } from "./step-limit.ts";
import { StepLog } from "./step-log.ts";
import { tracedStreamText } from "./traced.ts";

export type Answer = {
  /** What was answered, also when it is only a part; absent when it is nothing. */
  readonly message?: UIMessage;
  /** What went wrong in the stream. */
  readonly error?: unknown;
  /** Parsed structured output. */
  readonly output?: unknown;
  /** Steps that are not on record yet. */
  readonly steps: readonly StepRecord[];
};

type AnswerTurn = {
  readonly requestId: string;
  readonly continuation: boolean;
  readonly record: TurnRecorder;
  readonly held: HeldInput;
  readonly overflow: OverflowGuard;
  readonly signal: AbortSignal;
};

/** The agentic loop: model steps and tool calls until the model is done, put together as one message. */
export async function answer(ports: TurnPorts, prepared: PreparedTurn, turn: AnswerTurn): Promise<Answer> {
  const { settings, config, tools } = prepared;
  const log = new StepLog(turn.record);
  const result = tracedStreamText(settings.tracing)(streamOptions(ports, prepared, turn, log));
  const collected = await collect(result.stream, {
    messageId: ports.messageId(),
    tools,
    sendReasoning: config.sendReasoning ?? settings.sendReasoning,
    messageMetadata: config.messageMetadata ?? settings.messageMetadata,
    continuation: turn.continuation,
    live: ports.live,
    onChunk: turn.held.onChunk,
    signal: turn.signal,
  });
  const complete = config.output && collected.error === undefined && !turn.signal.aborted;
  return { ...collected, ...(complete && (await parsed(result.output))), steps: log.unrecorded };
}

type StreamOptions = Parameters<typeof streamText<ToolSet>>[0];

/** What `streamText` is asked, with the hooks around its steps, tools and chunks. */
function streamOptions(
  ports: TurnPorts,
  { settings, config, model, system, messages, tools }: PreparedTurn,
  { requestId, overflow, signal }: AnswerTurn,
  log: StepLog,
): StreamOptions {
  const { hooks, now } = ports;
  return {
    ...passedThrough(config),
    model,
    system,
    messages,
    allowSystemInMessages: true,
    tools: hookedTools(tools, { hooks, requestId, now, signal, log }),
    stopWhen: [atMost(config.maxSteps ?? settings.maxSteps), ...[config.stopWhen ?? []].flat()],
    abortSignal: signal,
    prepareStep: async (context) => {
      // A macrotask between steps: a fast model that goes on and on in microtasks would let no request in.
      if (context.stepNumber > 0) await scheduler.wait(0);
      const compacted = await overflow.beforeStep(context, signal);
      const seen = compacted ? { ...context, messages: compacted } : context;
      const chosen = await untilAborted(() => hooks.beforeStep(seen), signal);
      const { model: other, ...rest } = typeof chosen === "object" && chosen !== null ? chosen : {};
      return {
        ...(compacted && { messages: compacted }),
        ...rest,
        ...(other !== undefined && { model: settings.resolveModel(other) }),
      };
    },
    onChunk: (chunk) => observing("onChunk", () => hooks.onChunk(chunk), signal),
    onStepEnd: async (finished) => {
      log.stepEnded(finished);
      await observing("onStepEnd", () => hooks.onStepEnd(finished), signal);
    },
    // Reported in the stream, where it becomes the turn's outcome; the default would only print it.
    onError: () => {},
  };
}

/** Structured output that does not parse is the turn's error. */
async function parsed(output: PromiseLike<unknown>): Promise<{ output: unknown } | { error: unknown }> {
  try {
    return { output: await output };
  } catch (error) {
    return { error };
  }
}
