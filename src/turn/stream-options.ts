import type { HeldInput } from "../engine/lane/turn-inputs.ts";
import type { TurnRecorder } from "../engine/ports.ts";
import type { streamText, ToolSet } from "./ai-sdk.ts";
import { observing, untilAborted } from "./guarded.ts";
import { hookedTools } from "./hooked-tools.ts";
import type { OverflowGuard } from "./overflow.ts";
import { passedThrough } from "./passed-through.ts";
import type { AnswerListener, TurnPorts } from "./ports.ts";
import type { PreparedTurn } from "./prepare.ts";
import { atMost } from "./step-limit.ts";
import type { StepLog } from "./step-log.ts";

export type AnswerTurn = {
  readonly requestId: string;
  readonly messageId: string;
  readonly listener: AnswerListener;
  readonly continuation: boolean;
  readonly record: TurnRecorder;
  readonly held: HeldInput;
  readonly overflow: OverflowGuard;
  readonly signal: AbortSignal;
};

type StreamOptions = Parameters<typeof streamText<ToolSet>>[0];

/** What `streamText` is asked, with the hooks around its steps, tools and chunks. */
export function streamOptions(
  ports: TurnPorts,
  { settings, config, model, system, messages, tools, final }: PreparedTurn,
  { requestId, overflow, signal }: AnswerTurn,
  log: StepLog,
): StreamOptions {
  const { hooks, now } = ports;
  const maxSteps = config.maxSteps ?? settings.maxSteps;
  const hooked = hookedTools(tools, { hooks, requestId, now, signal, log });
  return {
    ...passedThrough(config),
    model,
    system,
    messages,
    allowSystemInMessages: true,
    tools: final ? final.addedTo(hooked) : hooked,
    stopWhen: [atMost(maxSteps), ...[config.stopWhen ?? []].flat()],
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
        ...(final ? final.stepped(rest, context.stepNumber) : rest),
        ...(other !== undefined && { model: settings.resolveModel(other) }),
      };
    },
    onChunk: (chunk) => observing("onChunk", () => hooks.onChunk(chunk), signal),
    onStepEnd: async (finished) => {
      final?.stepEnded(finished);
      log.stepEnded(finished, final?.isGiven);
      await observing("onStepEnd", () => hooks.onStepEnd(finished), signal);
    },
    // Reported in the stream, where it becomes the turn's outcome; the default would only print it.
    onError: () => {},
  };
}
