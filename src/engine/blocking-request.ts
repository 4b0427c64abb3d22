import type { UIMessage } from "ai";
import { checkMade } from "../input/messages.ts";
import { stampMessages, type Stamp } from "../input/stamp.ts";
import type { MessagesInput } from "../types.ts";
import type { TurnRequest } from "./admission.ts";
import type { HeldInput } from "./lane/turn-inputs.ts";

/** The messages of a request, or the function that makes them, with the stamp on the user's. */
export function requestInput(
  input: MessagesInput,
  stamp: Stamp,
  held: Omit<HeldInput, "make">,
): Pick<TurnRequest, "messages" | "held"> {
  if (typeof input !== "function") return { messages: stampMessages(input, stamp), held };
  const make = async (current: UIMessage[]): Promise<UIMessage[]> => {
    const known = new Set(current.map(({ id }) => id));
    return stampMessages(checkMade(await input(current), known), stamp);
  };
  return { held: { ...held, make } };
}

/** The channel that the newest of the messages' users came from. Also asked of messages that are not checked yet. */
export function channelOf(messages: readonly UIMessage[]): string | undefined {
  const user = messages.findLast((message) => message?.role === "user");
  const { channel } = (user?.metadata ?? {}) as { channel?: unknown };
  return typeof channel === "string" ? channel : undefined;
}
