import type { KnownEvent } from "./catalogue.ts";

/** The status that each of the events that end a turn gives it. */
export const END_STATUS = {
  TurnCompleted: "completed",
  TurnFailed: "error",
  TurnAborted: "aborted",
  TurnSkipped: "skipped",
} as const;

export type TerminalStatus = (typeof END_STATUS)[keyof typeof END_STATUS];
export type EndEvent = Extract<KnownEvent, { type: keyof typeof END_STATUS }>;
