import type { PayloadStore } from "../log/index.ts";
import type { LedgerEntry, ListedStatus, SubmissionQueries } from "../queries/index.ts";
import type { ThinkSubmissionInspection } from "../types.ts";
import { parseMetadata } from "./inspection.ts";

/** Lists submissions from the read model: no stream is read for it. */
export function listSubmissions(
  queries: SubmissionQueries,
  payloads: PayloadStore,
  statuses: readonly ListedStatus[] | undefined,
  limit: number,
): ThinkSubmissionInspection[] {
  return queries.list(statuses, limit).map((entry) => inspectionOfEntry(entry, payloads));
}

function inspectionOfEntry({ row, live }: LedgerEntry, payloads: PayloadStore): ThinkSubmissionInspection {
  const metadata = row.metadata === null ? undefined : parseMetadata(payloads.get(row.metadata));
  return {
    submissionId: row.submissionId,
    requestId: row.submissionId,
    status: row.status ?? live?.status ?? "pending",
    createdAt: row.createdAt,
    ...present("idempotencyKey", row.idempotencyKey),
    ...present("startedAt", row.startedAt ?? live?.startedAt ?? null),
    ...present("completedAt", row.completedAt),
    ...present("error", row.error),
    ...present("messageId", row.messageId),
    ...(metadata && { metadata }),
  };
}

const present = <Key extends string, Value>(key: Key, value: Value | null): { [K in Key]?: Value } =>
  value === null ? {} : ({ [key]: value } as { [K in Key]: Value });
