import { turnStream } from "../events/index.ts";
import { type EventLog, fromRow } from "../log/index.ts";
import type { EventRow } from "../log/index.ts";
import type { AuditEvent, AuditLogPage } from "../types.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { concernsWorkflow } from "./of-workflow.ts";

/** Filters of one page, checked and with their defaults filled in. */
export type AuditRequest = {
  readonly submissionId: string | undefined;
  readonly workflowId: string | undefined;
  readonly types: ReadonlySet<string> | undefined;
  readonly afterPosition: number;
  readonly order: "asc" | "desc";
  readonly limit: number;
  readonly cursor: string | undefined;
};

/** Events looked at for one page. A rare type gives short pages with a cursor rather than one endless read. */
const SCAN = 1000;

/** One page of the log. Never reads more than a fixed number of events, or one turn's stream. */
export function auditPage(log: EventLog, request: AuditRequest): AuditLogPage {
  const seen = request.cursor === undefined ? undefined : decodeCursor(request.cursor, request.order);
  const { rows, more } = request.submissionId === undefined ? scan(log, request, seen) : stream(log, request, seen);
  const matching = rows.filter((row) => matches(row, request));
  const page = matching.slice(0, request.limit);
  const last = matching.length > page.length ? page.at(-1) : more ? rows.at(-1) : undefined;
  return {
    events: page.map(toAuditEvent),
    ...(last && { cursor: encodeCursor(last.position, request.order) }),
  };
}

const matches = (row: EventRow, { types, workflowId }: AuditRequest): boolean =>
  (types?.has(row.type) ?? true) && (workflowId === undefined || concernsWorkflow(row, workflowId));

type Window = { readonly rows: EventRow[]; /** Are there events beyond? */ readonly more: boolean };

function scan(log: EventLog, request: AuditRequest, seen: number | undefined): Window {
  const { afterPosition, order, limit, types, workflowId } = request;
  const size = types || workflowId !== undefined ? SCAN : limit;
  if (order === "asc") {
    const rows = log.rowsAfter(Math.max(seen ?? 0, afterPosition), size + 1);
    return { rows: rows.slice(0, size), more: rows.length > size };
  }
  const before = seen ?? log.head().position + 1;
  const from = Math.max(before - size - 1, afterPosition);
  const rows = log.rowsAfter(from, Math.max(before - from - 1, 0)).toReversed();
  return { rows, more: from > afterPosition };
}

function stream(log: EventLog, request: AuditRequest, seen: number | undefined): Window {
  const { order, afterPosition } = request;
  const beyond = (row: EventRow): boolean =>
    seen === undefined || (order === "asc" ? row.position > seen : row.position < seen);
  const rows = log
    .historyRows(turnStream(request.submissionId ?? ""))
    .filter((row) => row.position > afterPosition && beyond(row));
  return { rows: order === "asc" ? rows : rows.toReversed(), more: false };
}

function toAuditEvent(row: EventRow): AuditEvent {
  const {
    position,
    stream: name,
    version,
    type,
    schemaVersion,
    at,
    actor,
    correlationId,
    causationId,
    data,
  } = fromRow(row);
  return { position, stream: name, version, type, schemaVersion, at, actor, correlationId, causationId, data };
}
