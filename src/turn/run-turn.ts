import type { Outcome } from "../commands/index.ts";
import { messageOf } from "../engine/message-of.ts";
import type { ClaimedTurn, TurnEnd, TurnRecorder, TurnRun } from "../engine/ports.ts";
import { inSpan } from "../engine/spans.ts";
import type { ChatResponseResult } from "../types.ts";
import type { UIMessage } from "./ai-sdk.ts";
import { attempt } from "./attempt.ts";
import type { TurnPorts } from "./ports.ts";
import { insideTurn } from "./turn-scope.ts";

/** Run one claimed turn: its messages, the model's answer, its record. Rejects only when the record cannot be written. */
export async function runTurn(
  ports: TurnPorts,
  claimed: ClaimedTurn,
  record: TurnRecorder,
  cancelled: AbortSignal,
): Promise<TurnRun> {
  const { submitted } = claimed.turn;
  const { trigger, generation, channel, continuation = false, calledFrom = [] } = submitted;
  const facts = { requestId: claimed.turnId, trigger, admission: "queue", continuation, generation };
  return inSpan("chat_turn", spanAttributes({ ...facts, channel }), async (set) => {
    const startedAt = ports.now();
    ports.telemetry.emit("chat:turn:start", facts);
    const scope = { agent: ports.agent, requestId: claimed.turnId, trigger, continuation, channel, calledFrom };
    const { thrown, output, whole, end } = await insideTurn(scope, () => attempt(ports, claimed, record, cancelled));
    const { status } = end.outcome;
    const durationMs = ports.now() - startedAt;
    ports.telemetry.emit("chat:turn:finish", { ...facts, status, durationMs, ...errorOf(end.outcome) });
    const settled = await inSpan("persist_chat_result", {}, () => record.settle(end));
    set(spanAttributes({ status }));
    return {
      ...(thrown !== undefined && { thrown }),
      ...(output !== undefined && { output }),
      ...(settled === "kept" && { response: response(ports, claimed, end, whole) }),
    };
  });
}

type TurnFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/** `requestId` → `cloudflare.agents.turn.request_id`. */
const spanAttributes = (facts: TurnFacts): TurnFacts =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      `cloudflare.agents.turn.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
      value,
    ]),
  );

function response(
  ports: TurnPorts,
  claimed: ClaimedTurn,
  { outcome, message }: TurnEnd,
  whole: UIMessage | undefined,
): ChatResponseResult {
  return {
    message: whole ?? message ?? { id: ports.messageId(), role: "assistant", parts: [] },
    requestId: claimed.turnId,
    continuation: claimed.turn.submitted.continuation ?? false,
    status: outcome.status === "skipped" ? "aborted" : outcome.status,
    ...errorOf(outcome),
  };
}

const errorOf = (outcome: Outcome): { error?: string } =>
  "error" in outcome && outcome.error !== undefined ? { error: messageOf(outcome.error) } : {};
