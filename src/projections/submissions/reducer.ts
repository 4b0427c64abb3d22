import { END_STATUS, type EndEvent, isForLater, type KnownEvent } from "../../events/index.ts";
import type { Reducer } from "../projection.ts";
import type { SubmissionRow } from "./row.ts";

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
  event.type === "TurnSubmitted" ? isForLater(event.data) : TYPES.has(event.type);

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
      return ended(row, event);
    case "TurnFailed":
      return { ...ended(row, event), error: event.data.error };
    case "TurnAborted":
      return { ...ended(row, event), error: event.data.error ?? null };
    case "TurnSkipped":
      return { ...ended(row, event), error: event.data.error };
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

const ended = (row: SubmissionRow, { type, at, data }: EndEvent): SubmissionRow => ({
  ...row,
  status: END_STATUS[type],
  startedAt: data.startedAt ?? null,
  completedAt: at,
  messageId: data.messageId ?? null,
});
