import type { UIMessage } from "ai";
import { isKnown } from "../events/index.ts";
import type { Store } from "./store.ts";

type Part = UIMessage["parts"][number];

const UNKNOWN = "The tool call was interrupted: whether it took effect is unknown.";

/** Calls of a turn that were started, and of which no outcome is on record. */
export function openCalls({ log }: Pick<Store, "log">, stream: string): ReadonlySet<string> {
  const open = new Set<string>();
  for (const { type, data } of log.readStream(stream).filter(isKnown)) {
    if (type === "ToolCallStarted") open.add(data.toolCallId);
    if (type === "StepFinished") for (const { toolCallId } of data.toolCalls) open.delete(toolCallId);
  }
  return open;
}

/**
 * Messages whose approved calls were started by a turn that did not finish them, as they are to be stored: nobody may
 * say of such a call that it did not run.
 */
export function withUnknownOutcomes(messages: readonly UIMessage[], calls: ReadonlySet<string>): UIMessage[] {
  if (calls.size === 0) return [];
  return messages
    .filter(({ parts }) => parts.some((part) => isOpen(part, calls)))
    .map((message) => ({
      ...message,
      parts: message.parts.map((part) =>
        isOpen(part, calls) ? ({ ...part, state: "output-error", errorText: UNKNOWN } as Part) : part,
      ),
    }));
}

const isOpen = (part: Part, calls: ReadonlySet<string>): boolean =>
  "toolCallId" in part && "state" in part && part.state === "approval-responded" && calls.has(part.toolCallId);
