import { isForLater, isKnown } from "../events/index.ts";
import type { Store } from "./store.ts";

/**
 * Erase what callers who waited had submitted. It is not in the ledger, where a deletion would erase it: a clear of
 * the conversation is what its owner has. Belongs in the commit that ends all turns, so that none still needs it.
 */
export function eraseBlockingContent({ log, payloads }: Store): void {
  for (const event of log.all()) {
    if (!isKnown(event) || event.type !== "TurnSubmitted" || isForLater(event.data)) continue;
    const { payload, body, clientTools } = event.data;
    for (const digest of [payload, body, clientTools]) if (digest !== undefined) payloads.remove(digest);
  }
}
