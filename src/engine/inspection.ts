import type { Turn } from "../commands/index.ts";
import type { ThinkSubmissionInspection } from "../types.ts";

/** A submission as users see it, from the fold of its stream. */
export function inspectionOf(turn: Turn, metadata: Record<string, unknown> | undefined): ThinkSubmissionInspection {
  return {
    submissionId: turn.submitted.turnId,
    requestId: turn.submitted.turnId,
    status: turn.status,
    createdAt: turn.createdAt,
    ...(turn.idempotencyKey !== undefined && { idempotencyKey: turn.idempotencyKey }),
    ...(turn.startedAt !== undefined && { startedAt: turn.startedAt }),
    ...(turn.completedAt !== undefined && { completedAt: turn.completedAt }),
    ...(turn.error !== undefined && { error: turn.error }),
    ...(turn.messageId !== undefined && { messageId: turn.messageId }),
    ...(metadata !== undefined && { metadata }),
  };
}

/** Stored metadata. Unreadable metadata is reported as absent: it must never keep a submission from being seen. */
export function parseMetadata(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
