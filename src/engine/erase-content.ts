import { submittedTurn } from "../commands/index.ts";
import { isSubmission } from "../effects/index.ts";
import { isKnown } from "../events/index.ts";
import type { Store } from "./store.ts";

const CHUNK = 500;

/**
 * Erase what callers who waited had submitted. It is not in the ledger, where a deletion would erase it: a clear of
 * the conversation is what its owner has. Belongs in the commit that ends all turns, so that none still needs it.
 */
export function eraseBlockingContent({ log, payloads }: Store): void {
  let events = log.after(0, CHUNK);
  while (events.length > 0) {
    for (const event of events) {
      if (!isKnown(event) || event.type !== "TurnSubmitted" || isSubmission(submittedTurn(event))) continue;
      const { payload, body } = event.data;
      if (payload !== undefined) payloads.remove(payload);
      if (body !== undefined) payloads.remove(body);
    }
    events = log.after(events.at(-1)?.position ?? 0, CHUNK);
  }
}
