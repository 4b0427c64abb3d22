import type { Recorded } from "../engine/dispatcher.ts";
import { eraseBlockingContent } from "../engine/erase-content.ts";
import { reset } from "../engine/reset.ts";
import { causeOf } from "./cause.ts";
import { engineOf, memoryOf, wireOf } from "./internals.ts";

/** End every turn and delete the conversation. Clients are not told yet. */
export const clearConversation = (agent: object): Promise<Recorded> => wireOf(agent).whileClearing(() => clear(agent));

async function clear(agent: object): Promise<Recorded> {
  const engine = engineOf(agent);
  const recorded = reset(engine, "clear", causeOf(agent), () => eraseBlockingContent(engine.store));
  // Before anything is waited for: a turn that is accepted from here on keeps its messages.
  await memoryOf(agent).session.clearMessages();
  return recorded;
}
