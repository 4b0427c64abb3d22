import type { Outcome } from "../commands/index.ts";
import { messageOf } from "../engine/message-of.ts";
import type { ClaimedTurn, TurnEnd, TurnRecorder } from "../engine/ports.ts";
import { inSpan } from "../engine/spans.ts";
import type { UIMessage } from "./ai-sdk.ts";
import { type Answer, answer } from "./answer.ts";
import { answerId } from "./answer-id.ts";
import { classify, surface } from "./failure.ts";
import { untilAborted } from "./guarded.ts";
import type { ChatErrorContext } from "./hook-types.ts";
import { OverflowGuard, warnIfUnclassified } from "./overflow.ts";
import type { AnswerListener, TurnPorts } from "./ports.ts";
import { type PreparedTurn, prepareTurn } from "./prepare.ts";

/** How one attempt ended, and what only a caller who waits gets. */
type Attempt = {
  readonly end: TurnEnd;
  readonly thrown?: unknown;
  readonly output?: unknown;
  /** The answer as the response hook hears it, where it is not what is stored. */
  readonly whole?: UIMessage;
};

/** Apply, prepare, answer. Every fault becomes an outcome. */
export async function attempt(
  agentPorts: TurnPorts,
  claimed: ClaimedTurn,
  record: TurnRecorder,
  cancelled: AbortSignal,
): Promise<Attempt> {
  const ports = forTurn(agentPorts, claimed);
  const { signal: callers } = claimed.held;
  const signal = callers ? AbortSignal.any([cancelled, callers]) : cancelled;
  const facts = { requestId: claimed.turnId, continuation: claimed.turn.submitted.continuation ?? false };
  let messagesPersisted = claimed.input.kind !== "function";
  try {
    // A caller who gave up before the turn began still finds the messages in the conversation.
    const making = signal.aborted ? cancelled : signal;
    if (!(await applyMade(ports, claimed, record, making))) return ended(aborted(signal));
    messagesPersisted = true;
    return await answerTurn(ports, claimed, record, signal, facts);
  } catch (error) {
    if (signal.aborted) return ended(aborted(signal));
    const context: ChatErrorContext = { ...facts, stage: messagesPersisted ? "turn" : "persist", messagesPersisted };
    const thrown = surface(ports, error, context);
    return { ...ended({ status: "error", error: messageOf(thrown) }), thrown };
  }
}

/** An answer that is made again sees the conversation up to its question. */
function forTurn(ports: TurnPorts, { turn }: ClaimedTurn): TurnPorts {
  const { branchFrom } = turn.submitted;
  if (typeof branchFrom !== "string") return ports;
  // The question of an edited one is on the path, at its end.
  const upTo = turn.submitted.payload === undefined ? branchFrom : undefined;
  return { ...ports, modelHistory: () => ports.modelHistory(upTo) };
}

/** The messages of a caller's function, made now that the turn has come. */
async function applyMade(
  ports: TurnPorts,
  { input }: ClaimedTurn,
  record: TurnRecorder,
  signal: AbortSignal,
): Promise<boolean> {
  if (input.kind !== "function") return true;
  const messages = await untilAborted(() => input.make(structuredClone([...ports.conversation.messages()])), signal);
  return record.applyMessages(messages);
}

/** Answer, and once more for each time that compacting the conversation makes room. */
async function answerTurn(
  ports: TurnPorts,
  claimed: ClaimedTurn,
  record: TurnRecorder,
  signal: AbortSignal,
  facts: { requestId: string; continuation: boolean },
): Promise<Attempt> {
  let prepared: PreparedTurn | undefined;
  const { contextOverflow, classifies } = ports.settings();
  warnIfUnclassified(ports.agent, contextOverflow, classifies);
  const overflow = new OverflowGuard(ports, claimed.turnId, contextOverflow, () => prepared?.tools ?? {});
  let listener: AnswerListener | undefined;
  const messageId = answerId(claimed.turn);
  for (;;) {
    // The agent's tools and context are asked too: one that never answers must not keep the lane.
    const prepare = () => inSpan("prepare_agent", {}, () => prepareTurn(ports, claimed, signal));
    prepared = await untilAborted(prepare, signal);
    listener ??= ports.audience.begins(claimed);
    const result = await answer(ports, prepared, {
      ...facts,
      messageId,
      listener,
      record,
      held: claimed.held,
      overflow,
      signal,
    });
    if (signal.aborted) return ended(aborted(signal), result);
    if (!("error" in result)) return completed(result);

    const context: ChatErrorContext = { ...facts, stage: "stream", messagesPersisted: true };
    const classification = classifies ? classify(ports, result.error, context) : undefined;
    if (classification === "context_overflow" && (await overflow.mayRetry(signal))) continue;
    const surfaced = surface(ports, result.error, { ...context, ...(classification && { classification }) });
    return ended({ status: "error", error: messageOf(surfaced) }, result);
  }
}

function completed({ final, output, ...answered }: Answer): Attempt {
  const { end, ...told } = ended({ status: "completed" }, answered);
  return { ...told, end: { ...end, ...(final !== undefined && { output: final }) }, output };
}

function ended(outcome: Outcome, { message, whole, changed, steps }: Partial<Answer> = {}): Attempt {
  return {
    end: { outcome, steps: steps ?? [], ...(message && { message }), ...(changed && { changed }) },
    ...(whole && { whole }),
  };
}

const aborted = ({ reason }: AbortSignal): Outcome => ({ status: "aborted", error: messageOf(reason) });
