import type { Engine } from "../engine/engine.ts";
import type { Conversation } from "../engine/ports.ts";
import type { LiveAnswer } from "../turn/ports.ts";

/** What the wire works on, once the agent has started. */
export type WireParts = {
  readonly engine: Engine;
  readonly conversation: Conversation;
  readonly live: LiveAnswer;
};
