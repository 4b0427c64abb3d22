import type { UIMessage } from "ai";
import { stampMessages, type Stamp } from "../input/stamp.ts";
import type { MessagesInput } from "../types.ts";
import type { BlockingRequest } from "./blocking-turns.ts";
import type { HeldInput } from "./lane/turn-inputs.ts";

/** The messages of a request, or the function that makes them, with the stamp on the user's. */
export function requestInput(
  input: MessagesInput,
  stamp: Stamp,
  held: Omit<HeldInput, "make">,
): Pick<BlockingRequest, "messages" | "held"> {
  if (typeof input !== "function") return { messages: stampMessages(input, stamp), held };
  const make = async (current: UIMessage[]): Promise<UIMessage[]> => stampMessages(await input(current), stamp);
  return { held: { ...held, make } };
}

/** The channel that the newest of the messages' users came from. */
export function channelOf(messages: readonly UIMessage[]): string | undefined {
  const user = messages.findLast((message) => message.role === "user");
  const { channel } = (user?.metadata ?? {}) as { channel?: unknown };
  return typeof channel === "string" ? channel : undefined;
}
