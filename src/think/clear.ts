import type { Recorded } from "../engine/dispatcher.ts";
import { eraseBlockingContent } from "../engine/erase-content.ts";
import { reset } from "../engine/reset.ts";
import { causeOf } from "./cause.ts";
import { engineOf, memoryOf } from "./internals.ts";

/** End every turn and delete the conversation. Clients are not told yet. */
export async function clearConversation(agent: object): Promise<Recorded> {
  const engine = engineOf(agent);
  const recorded = reset(engine, "clear", causeOf(agent), () => eraseBlockingContent(engine.store));
  // Before anything is waited for: a turn that is accepted from here on keeps its messages.
  await memoryOf(agent).session.clearMessages();
  return recorded;
}
