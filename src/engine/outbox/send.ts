import type { DeliveryResult } from "../../commands/index.ts";
import { turnStream } from "../../events/index.ts";
import type { OutboxRow } from "../../projections/index.ts";
import type { WorkflowSender } from "../ports.ts";
import type { Store } from "../store.ts";
import { deliveryFault } from "./delivery-fault.ts";
import { outcomeOf, turnAsEnded } from "./outcome.ts";

/** How long an answer may take. The sender itself tries three times within a few seconds. */
const TIMEOUT_MS = 60_000;

/** Bytes of an event's payload as JSON: 1 MiB for the whole event, with room for its name and its wrapping. */
const MAX_BYTES = 1_048_576 - 16_384;

/** Send one notification. Every way it can go is a result: this does not reject. */
export async function send(due: OutboxRow, store: Store, sender: WorkflowSender): Promise<DeliveryResult> {
  try {
    const turn = turnAsEnded(store, turnStream(due.turnId), due.ordinal);
    if (!turn)
      return { kind: "permanent", reason: "The submission was deleted, and its id is that of another one now" };
    const payload = outcomeOf(turn, store);
    const bytes = new TextEncoder().encode(JSON.stringify(payload)).byteLength;
    if (bytes > MAX_BYTES)
      return { kind: "permanent", reason: `The outcome is too large for an event: ${bytes} bytes` };
    const event = { type: due.eventType, payload };
    return await inTime(sender.send(due.workflowName, due.workflowId, event));
  } catch (error) {
    return deliveryFault(error);
  }
}

/** A timer that is left behind would keep the object in memory, and be paid for. */
async function inTime(sent: Promise<void>): Promise<DeliveryResult> {
  const answered = new AbortController();
  const late = scheduler.wait(TIMEOUT_MS, { signal: answered.signal }).then((): DeliveryResult => ({
    kind: "transient",
    error: `No answer within ${TIMEOUT_MS / 1000} seconds`,
  }));
  late.catch(() => {});
  try {
    return await Promise.race([sent.then((): DeliveryResult => ({ kind: "delivered" })), late]);
  } finally {
    answered.abort();
  }
}
