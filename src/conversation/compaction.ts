import {
  type CompactionFunction,
  type CompactResult,
  isCompactionMessage,
  type Session,
  type SessionMessage,
} from "agents/sessions";
import { report } from "../engine/console.ts";

/** Hears what the registered compaction function throws. The compaction is skipped either way. */
export type CompactionErrorHandler = (error: unknown) => void | Promise<void>;

/**
 * A caller's compaction function made safe to store: its failure is told to the handler and then to the
 * session, which skips the compaction; a range that would cover nothing, or that ends in an earlier summary,
 * is nothing to do.
 */
export function checkedCompaction(
  compact: CompactionFunction,
  onError: () => CompactionErrorHandler | undefined,
): CompactionFunction {
  return async (messages) => {
    let result: CompactResult | null;
    try {
      result = await compact(messages);
    } catch (error) {
      await tell(onError(), error);
      throw error;
    }
    return result && covers(result, messages) ? result : null;
  };
}

function covers({ fromMessageId, toMessageId }: CompactResult, messages: readonly SessionMessage[]): boolean {
  const from = messages.findIndex(({ id }) => id === fromMessageId);
  const to = messages.findIndex(({ id }) => id === toMessageId);
  const last = messages[to];
  // The id of a summary is made up on each read: an overlay that ends in one would never be found again.
  return from !== -1 && from <= to && last !== undefined && !isCompactionMessage(last);
}

async function tell(handler: CompactionErrorHandler | undefined, error: unknown): Promise<void> {
  try {
    await handler?.(error);
  } catch (thrown) {
    report("The handler of onCompactionError failed", thrown);
  }
}

/** Size of the path as the model would get it: what a compaction is to make smaller. */
export async function pathSize(session: Session, leafId: string | undefined): Promise<number> {
  let size = 0;
  for await (const message of session.history(leafId === undefined ? {} : { leafId })) {
    size += JSON.stringify(message).length;
  }
  return size;
}
