import { shortened } from "../engine/message-of.ts";

/** A cancellation's reason as the text that is kept: none for none, an error's message, anything else as text. */
export function reasonText(reason: unknown): string | undefined {
  if (reason === undefined) return undefined;
  if (reason instanceof Error) return shortened(reason.message);
  // Whatever was given, as text: that is the contract, for objects too.
  // oxlint-disable-next-line typescript/no-base-to-string
  return shortened(String(reason));
}
