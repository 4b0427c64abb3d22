import type { HeldInput } from "../engine/lane/turn-inputs.ts";
import type { StepRecord, TurnRecorder } from "../engine/ports.ts";
import { isStepCount, type UIMessage } from "./ai-sdk.ts";
import { collect } from "./collect.ts";
import { observing, untilAborted } from "./guarded.ts";
import { hookedTools } from "./hooked-tools.ts";
import type { OverflowGuard } from "./overflow.ts";
import { passedThrough } from "./passed-through.ts";
import type { TurnPorts } from "./ports.ts";
import type { PreparedTurn } from "./prepare.ts";
import { stepRecord } from "./step-record.ts";
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

export type AnswerTurn = {
  readonly requestId: string;
  readonly continuation: boolean;
  readonly record: TurnRecorder;
  readonly held: HeldInput;
  readonly overflow: OverflowGuard;
  readonly signal: AbortSignal;
};

/** The agentic loop: model steps and tool calls until the model is done, put together as one message. */
export async function answer(ports: TurnPorts, prepared: PreparedTurn, turn: AnswerTurn): Promise<Answer> {
  const { hooks } = ports;
  const { settings, config, tools } = prepared;
  const { record, signal } = turn;
  const steps: StepRecord[] = [];
  let step = 0;
  const result = tracedStreamText(settings.tracing)({
    ...passedThrough(config),
    model: prepared.model,
    system: prepared.system,
    messages: prepared.messages,
    allowSystemInMessages: true,
    tools: hookedTools(tools, {
      hooks,
      requestId: turn.requestId,
      now: ports.now,
      signal,
      step: () => step,
      starts: (call) => {
        if (!record.toolStarts({ step, ...call })) throw new Error("The turn ended before this tool ran.");
      },
    }),
    stopWhen: [isStepCount(config.maxSteps ?? settings.maxSteps), ...[config.stopWhen ?? []].flat()],
    abortSignal: signal,
    prepareStep: async (context) => {
      const compacted = await turn.overflow.beforeStep(context, signal);
      const seen = compacted ? { ...context, messages: compacted } : context;
      const chosen = await untilAborted(() => hooks.beforeStep(seen), signal);
      const { model, ...rest } = typeof chosen === "object" && chosen !== null ? chosen : {};
      return {
        ...(compacted && { messages: compacted }),
        ...rest,
        ...(model !== undefined && { model: settings.resolveModel(model) }),
      };
    },
    onChunk: (chunk) => observing("onChunk", () => hooks.onChunk(chunk), signal),
    onStepEnd: async (finished) => {
      const facts = stepRecord(step, finished);
      step += 1;
      // With tool results a next step may follow: they are put on record before it. The last step waits for
      // the commit that ends the turn.
      if (facts.toolCalls.length > 0) record.stepFinished(facts);
      else steps.push(facts);
      await observing("onStepEnd", () => hooks.onStepEnd(finished), signal);
    },
    // Reported in the stream, where it becomes the turn's outcome; the default would only print it.
    onError: () => {},
  });
  const collected = await collect(result.stream, {
    messageId: ports.messageId(),
    tools,
    sendReasoning: config.sendReasoning ?? settings.sendReasoning,
    messageMetadata: config.messageMetadata ?? settings.messageMetadata,
    continuation: turn.continuation,
    live: ports.live,
    onChunk: turn.held.onChunk,
    signal,
  });
  const output = config.output && collected.error === undefined && !signal.aborted ? await parsed(result.output) : {};
  return { ...collected, ...output, steps };
}

/** Structured output that does not parse is the turn's error. */
async function parsed(output: PromiseLike<unknown>): Promise<{ output: unknown } | { error: unknown }> {
  try {
    return { output: await output };
  } catch (error) {
    return { error };
  }
}
