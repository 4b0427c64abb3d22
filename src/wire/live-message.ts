import type { UIMessage } from "ai";
import { withoutFinalAnswer } from "../turn/structured/strip.ts";
import type { WireParts } from "./parts.ts";

/** The answer that streams, as far as it has come, without what is for a workflow only. */
export function liveMessage({ live }: Pick<WireParts, "live">): UIMessage | undefined {
  const message = live.message?.();
  return message && withoutFinalAnswer(message);
}
