import type { Turn } from "../commands/index.ts";
import type { ChatResponseResult } from "../types.ts";

/**
 * What the response hook hears of a turn from its record, when no attempt is there to tell of it.
 *
 * @param position - Where the turn's end is in the log.
 * @param message - The stored answer, where there is one.
 */
export const responseOf = (
  { submitted, error }: Turn,
  status: ChatResponseResult["status"],
  position: number,
  message?: ChatResponseResult["message"],
): ChatResponseResult => ({
  message: message ?? { id: `${submitted.turnId}:${position}`, role: "assistant", parts: [] },
  requestId: submitted.turnId,
  continuation: submitted.continuation ?? false,
  status,
  ...(error !== undefined && { error }),
});
