import { wrapAISDK } from "agents/observability/ai";
import { streamText } from "./ai-sdk.ts";

type Flags = { readonly storeMessages: boolean; readonly storeTools: boolean };

const wrapped = new Map<string, typeof streamText>();

/** `streamText` with spans for model calls and tools; content is in them only when the flags say so. */
export function tracedStreamText(flags: Flags): typeof streamText {
  const key = `${flags.storeMessages}/${flags.storeTools}`;
  const known = wrapped.get(key);
  if (known) return known;
  const traced = wrapAISDK({ streamText }, flags).streamText;
  wrapped.set(key, traced);
  return traced;
}
