import { partAwaitsClientInteraction, repairInterruptedToolParts, toolPartHasSettledResult } from "agents/chat";
import type { UIMessage } from "ai";
import { report } from "../engine/console.ts";

type Part = UIMessage["parts"][number];

/** The subclass's answer to a tool part that never got its result. */
export type RepairPart = (part: Part) => Part;

/** The turn that is to begin. */
type RepairedTurn = {
  /** It goes on with the last answer: what a person may still answer stays as it is. */
  readonly continuation: boolean;
  /** Tools that a client runs; a call of any other tool died with the object that ran it. */
  readonly clientTools?: ReadonlySet<string>;
};

type TranscriptRepair = {
  /** Only the messages that changed. */
  readonly changed: UIMessage[];
  readonly removedToolCalls: number;
  readonly normalizedInputs: number;
  readonly toolCallIds: string[];
};

/** Messages that need no repair, whatever turn comes: a long history is not looked through for each turn. */
const settled = new WeakSet<UIMessage>();

/**
 * Find what an earlier turn left unfinished: a provider that gets a tool call without its result refuses this
 * turn and every later one. The only place that knows `agents/chat`'s repair.
 */
export function repairTranscript(
  messages: readonly UIMessage[],
  { continuation, clientTools = new Set() }: RepairedTurn,
  repairPart: RepairPart = interruptedToolPart,
): TranscriptRepair {
  const from = messages.findIndex((message) => !settled.has(message));
  const suspects = from === -1 ? [] : messages.slice(from);
  const result = repairInterruptedToolParts(suspects, {
    repairPart: (part) => repairedPart(part, repairPart),
    repairApprovalResponded: !continuation,
    shouldRepair: (part) => !(continuation && partAwaitsClientInteraction(part, new Set(clientTools))),
  });
  const changed = result.messages.filter((message, index) => message !== suspects[index]);
  for (const message of result.messages) if (message.parts.every(isSettled)) settled.add(message);
  return {
    changed,
    removedToolCalls: result.removedToolCalls,
    normalizedInputs: result.normalizedInputs,
    toolCallIds: result.toolCallIds,
  };
}

/** What an interrupted tool call becomes when the agent says nothing else. */
export function interruptedToolPart(part: Part): Part {
  const approved = "state" in part && part.state === "approval-responded";
  return {
    ...part,
    state: "output-error",
    errorText: approved
      ? "The tool call was approved but did not run before the next turn started."
      : "The tool call was interrupted before a result was recorded.",
  } as Part;
}

/** An override that throws, or leaves the call open, would poison the turns that repair is for. */
function repairedPart(part: Part, repairPart: RepairPart): Part {
  try {
    const repaired = repairPart(part);
    if (isSettled(repaired)) return repaired;
    report("repairInterruptedToolPart() left the tool call without a result; it is ended as an error", repaired);
  } catch (error) {
    report("repairInterruptedToolPart() failed; the tool call is ended as an error", error);
  }
  return interruptedToolPart(part);
}

const isTool = (part: Part): boolean => part.type.startsWith("tool-") || part.type === "dynamic-tool";

const isSettled = (part: Part): boolean => !isTool(part) || toolPartHasSettledResult(part as Record<string, unknown>);
