import type { ClaimedTurn, Conversation, Telemetry, TurnEnd, TurnRecorder, TurnRun } from "../engine/ports.ts";
import type { Outcome } from "../commands/index.ts";
import { messageOf } from "../engine/message-of.ts";
import { answer, type AnswerSettings } from "./answer.ts";
import { insideTurn } from "./turn-scope.ts";

export type TurnPorts = {
  /** Whose turn it is; also the identity that nested calls are recognised by. */
  readonly agent: object;
  readonly conversation: Conversation;
  readonly telemetry: Telemetry;
  readonly now: () => number;
  readonly messageId: () => string;
  /** The agent's model, prompt and tools. Asked anew for each turn; may throw. */
  readonly settings: () => AnswerSettings;
};

/** Run one claimed turn: its messages, the model's answer, its record. Never rejects. */
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
    continuation: false,
    generation: submitted.generation,
  };
  const startedAt = ports.now();
  ports.telemetry.emit("chat:turn:start", facts);
  const { thrown, ...end } = await insideTurn(ports.agent, claimed.turnId, () =>
    attempt(ports, claimed, record, signal),
  );
  ports.telemetry.emit("chat:turn:finish", {
    ...facts,
    status: end.outcome.status,
    durationMs: ports.now() - startedAt,
    ...("error" in end.outcome && end.outcome.error !== undefined && { error: end.outcome.error }),
  });
  await record.settle(end);
  return thrown === undefined ? {} : { thrown };
}

type Attempt = TurnEnd & TurnRun;

async function attempt(
  ports: TurnPorts,
  claimed: ClaimedTurn,
  record: TurnRecorder,
  signal: AbortSignal,
): Promise<Attempt> {
  try {
    if (claimed.input.kind === "function") {
      const messages = await claimed.input.make([...ports.conversation.messages()]);
      if (!(await record.applyMessages(messages))) return { outcome: aborted(signal), steps: [] };
    }
    const { error, message, steps } = await answer(ports, record, signal);
    const kept = message && { message };
    if (signal.aborted) return { outcome: aborted(signal), steps, ...kept };
    if (error !== undefined) return { outcome: { status: "error", error }, steps, ...kept };
    return { outcome: { status: "completed" }, steps, ...kept };
  } catch (thrown) {
    if (signal.aborted) return { outcome: aborted(signal), steps: [] };
    return { outcome: { status: "error", error: messageOf(thrown) }, steps: [], thrown };
  }
}

const aborted = ({ reason }: AbortSignal): Outcome => ({ status: "aborted", error: messageOf(reason) });
