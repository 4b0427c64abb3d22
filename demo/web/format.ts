// Numbers and names as people read them. Between a number and its unit is a narrow space that does not break.
import type { Submission } from "./api.ts";

export function duration(ms: number): string {
  if (ms < 0) return "0 ms";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)}m ${Math.floor((ms % 60_000) / 1_000)}s`;
  return `${Math.floor(ms / 3_600_000)}h ${Math.floor((ms % 3_600_000) / 60_000)}m`;
}

export function clock(at: number): string {
  const date = new Date(at);
  return `${date.toLocaleTimeString("en-GB")}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** With its date: for what is further away than today. */
export function day(at: number): string {
  const date = new Date(at);
  return `${date.toLocaleDateString("en-GB")} ${date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
}

/** A UUID or hash by its beginning; what a person named stays whole. */
export function short(id: string): string {
  return /^[0-9a-f-]{32,}$/i.test(id) ? `${id.slice(0, 8)}…` : id;
}

/** How long it waited for its turn, and how long that turn took; undefined when it never ran. */
export function times(submission: Submission, now: number): { wait: number; run: number | undefined } {
  const { createdAt, startedAt, completedAt } = submission;
  const wait = (startedAt ?? completedAt ?? now) - createdAt;
  return { wait, run: startedAt === undefined ? undefined : (completedAt ?? now) - startedAt };
}
