import type { DeliveryResult } from "../../commands/index.ts";
import { messageOf } from "../message-of.ts";

/**
 * Words of errors after which no further try can succeed. Whatever is not known to be final is tried again:
 * too many tries cost little, and a workflow that never hears waits until its own timeout.
 */
const FINAL: readonly RegExp[] = [
  // What Workflows say of an instance that was never there or is not kept any more.
  /instance\.not_found/i,
  /instance (does not exist|not found)/i,
  /engine was never started/i,
  // The instance is there, but has ended.
  /instance\.(cannot_|already_|invalid_)?(terminated|terminal|completed|complete|errored|ended|finished)/i,
  /instance (is|has) (already )?(been )?(terminated|completed|errored|ended|finished|in a (finite|terminal) state)/i,
  // What `agents` says when the Worker has no such workflow (any more).
  /^Workflow binding '.*' not found in environment$/s,
  // Too large for an event, or for any call.
  /(payload|event|value|serialized).{0,60}(too large|too big|exceed)/is,
];

/** What a rejected delivery means. */
export function deliveryFault(error: unknown): DeliveryResult {
  const text = messageOf(error);
  return FINAL.some((words) => words.test(text))
    ? { kind: "permanent", reason: text }
    : { kind: "transient", error: text };
}
