import { COMPACTION_PREFIX, isCompactionMessage, type Session } from "agents/sessions";
import type { UIMessage } from "ai";

/** Stored bytes of the newest messages that are held in memory, when nobody says otherwise. */
export const HYDRATION_BUDGET_BYTES = 32 * 1024 * 1024;

/** The newest part of the active path. */
export type Window = {
  readonly messages: UIMessage[];
  /** The stored message the path ends at: what a next one is attached to. */
  readonly leafId: string | null;
  /** Older messages were left out. */
  readonly truncated: boolean;
  /** Stored bytes of the whole path. */
  readonly totalBytes: number;
};

/** Read the newest messages of a path that fit a budget; a budget that is no positive number is none. */
export async function readWindow(session: Session, leafId: string | undefined, budget: number): Promise<Window> {
  const bytes = isBudget(budget) ? budget : Number.POSITIVE_INFINITY;
  const { messages, truncated, totalContentBytes } = await session.getRecentHistory(
    bytes,
    leafId === undefined ? {} : { leafId },
  );
  return {
    messages: messages as UIMessage[],
    leafId: leafId ?? (await endOf(session, messages as UIMessage[])),
    truncated,
    totalBytes: totalContentBytes,
  };
}

export const isBudget = (budget: number): boolean => Number.isFinite(budget) && budget > 0;

/** A summary at the end stands for messages that are stored; its own id is not. */
async function endOf(session: Session, messages: readonly UIMessage[]): Promise<string | null> {
  const last = messages.at(-1);
  if (last === undefined || !isCompactionMessage(last)) return last?.id ?? null;
  const overlay = (await session.getCompactions()).find(({ id }) => last.id === COMPACTION_PREFIX + id);
  return overlay?.toMessageId ?? null;
}
