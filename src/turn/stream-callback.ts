import type { BlockingEnd } from "../engine/blocking-turns.ts";
import { messageOf } from "../engine/message-of.ts";
import type { StreamCallback } from "../types.ts";

/** Run a turn and tell a callback of it: `onStart`, the chunks, and then exactly one last call. */
export async function withCallback(
  callback: StreamCallback,
  requestId: string,
  run: () => Promise<BlockingEnd>,
): Promise<void> {
  await callback.onStart({ requestId });
  let end: BlockingEnd;
  try {
    end = await run();
  } catch (error) {
    await callback.onError(messageOf(error));
    return;
  }
  if (end.status === "completed") await callback.onDone();
  else await callback.onError(end.error ?? `The turn was ${end.status}.`);
}
