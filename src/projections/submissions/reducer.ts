import type { KnownEvent } from "../../events/index.ts";
import type { Reducer } from "../projection.ts";
import type { SubmissionRow } from "./row.ts";

/** Turns that were submitted for later, as opposed to those whose caller waits: only they are in the ledger. */
const SUBMITTED: readonly string[] = ["submission", "scheduled"];

export const submissionReducer: Reducer<SubmissionRow, number> = {
  key: (event) => (concerns(event) ? event.ordinal : undefined),
  reduce: (row, event) => {
    if (event.type === "TurnSubmitted") return accepted(event);
    return row === undefined ? null : changed(row, event);
  },
};

const TYPES: ReadonlySet<KnownEvent["type"]> = new Set([
  "TurnCompleted",
  "TurnFailed",
  "TurnAborted",
  "TurnSkipped",
  "MessageLinked",
  "KeyBound",
  "TurnDeleted",
]);

const concerns = (event: KnownEvent): boolean =>
  event.type === "TurnSubmitted" ? SUBMITTED.includes(event.data.trigger) : TYPES.has(event.type);

const accepted = ({ data, ordinal, at }: Extract<KnownEvent, { type: "TurnSubmitted" }>): SubmissionRow => ({
  ordinal,
  submissionId: data.turnId,
  idempotencyKey: data.idempotencyKey ?? null,
  createdAt: at,
  payload: data.payload ?? null,
  metadata: data.metadata ?? null,
  status: null,
  error: null,
  startedAt: null,
  completedAt: null,
  messageId: null,
});

function changed(row: SubmissionRow, event: KnownEvent): SubmissionRow | null {
  switch (event.type) {
    case "TurnCompleted":
      return ended(row, "completed", event);
    case "TurnFailed":
      return { ...ended(row, "error", event), error: event.data.error };
    case "TurnAborted":
      return { ...ended(row, "aborted", event), error: event.data.error ?? null };
    case "TurnSkipped":
      return { ...ended(row, "skipped", event), error: event.data.error };
    case "MessageLinked":
      return { ...row, messageId: event.data.messageId };
    case "KeyBound":
      return { ...row, idempotencyKey: event.data.idempotencyKey };
    case "TurnDeleted":
      return null;
    default:
      return row;
  }
}

type EndEvent = Extract<KnownEvent, { type: "TurnCompleted" | "TurnFailed" | "TurnAborted" | "TurnSkipped" }>;

const ended = (row: SubmissionRow, status: SubmissionRow["status"], { at, data }: EndEvent): SubmissionRow => ({
  ...row,
  status,
  startedAt: data.startedAt ?? null,
  completedAt: at,
  messageId: data.messageId ?? null,
});
