import type { Outcome } from "../commands/index.ts";
import { messageOf } from "../engine/message-of.ts";
import type { ClaimedTurn, TurnEnd, TurnRecorder, TurnRun } from "../engine/ports.ts";
import type { ChatResponseResult } from "../types.ts";
import { attempt } from "./attempt.ts";
import type { TurnPorts } from "./ports.ts";
import { insideTurn } from "./turn-scope.ts";

/** Run one claimed turn: its messages, the model's answer, its record. Never rejects for a fault of the turn. */
export async function runTurn(
  ports: TurnPorts,
  claimed: ClaimedTurn,
  record: TurnRecorder,
  signal: AbortSignal,
): Promise<TurnRun> {
  const { submitted } = claimed.turn;
  const facts = {
    requestId: claimed.turnId,
    trigger: submitted.trigger,
    admission: "queue",
    continuation: submitted.continuation ?? false,
    generation: submitted.generation,
  };
  const startedAt = ports.now();
  ports.telemetry.emit("chat:turn:start", facts);
  const scope = {
    agent: ports.agent,
    requestId: claimed.turnId,
    trigger: submitted.trigger,
    continuation: facts.continuation,
    channel: submitted.channel,
  };
  const { thrown, output, end } = await insideTurn(scope, () => attempt(ports, claimed, record, signal));
  ports.telemetry.emit("chat:turn:finish", {
    ...facts,
    status: end.outcome.status,
    durationMs: ports.now() - startedAt,
    ...errorOf(end.outcome),
  });
  const settled = await record.settle(end);
  return {
    ...(thrown !== undefined && { thrown }),
    ...(output !== undefined && { output }),
    ...(settled === "kept" && { response: response(ports, claimed, end) }),
  };
}

function response(ports: TurnPorts, claimed: ClaimedTurn, { outcome, message }: TurnEnd): ChatResponseResult {
  return {
    message: message ?? { id: ports.messageId(), role: "assistant", parts: [] },
    requestId: claimed.turnId,
    continuation: claimed.turn.submitted.continuation ?? false,
    status: outcome.status === "skipped" ? "aborted" : outcome.status,
    ...errorOf(outcome),
  };
}

const errorOf = (outcome: Outcome): { error?: string } =>
  "error" in outcome && outcome.error !== undefined ? { error: messageOf(outcome.error) } : {};
