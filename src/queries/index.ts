export { auditPage, type AuditRequest } from "./audit.ts";
export { OutboxQueries } from "./outbox-queries.ts";
export { QueueQueries } from "./queue-queries.ts";
export { type LedgerEntry, type ListedStatus, SubmissionQueries } from "./submission-queries.ts";
