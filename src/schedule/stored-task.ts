/** What an alarm of `@cloudflare/think` carries. */
export type StoredTask = { taskId: string; scheduleHash: string; scheduledFor: number };

/** @throws in the words applications know. */
export function checkStoredTask(payload: unknown): void {
  const { taskId, scheduleHash, scheduledFor } = (payload ?? {}) as Partial<Record<keyof StoredTask, unknown>>;
  const isOne = typeof taskId === "string" && typeof scheduleHash === "string" && Number.isFinite(scheduledFor);
  if (!isOne) throw new Error("Invalid declared scheduled task payload");
}
