// The HTTP API as typed calls. Failures are one class, whether the server refused or could not be reached.
import type { UIMessage } from "ai";
import type {
  AuditEvent,
  CancelSubmissionResult,
  LogVerification,
  SubmitMessagesResult,
  ThinkSubmissionInspection,
} from "../../src/index.ts";
import type { WorkflowDetail, WorkflowRequest, WorkflowSummary } from "../agent/workflows/view.ts";
import type { Schedules } from "../agent/schedules.ts";
import type { Info } from "../api/routes/info.ts";

export type { AuditEvent, Info, LogVerification, UIMessage, WorkflowDetail, WorkflowRequest, WorkflowSummary };
export type { Schedules };
export type ScheduledTask = Schedules["tasks"][number];
export type Occurrence = ScheduledTask["latest"][number];
export type Submission = ThinkSubmissionInspection;
export type Receipt = SubmitMessagesResult;
export type SubmitRequest = { text: string; idempotencyKey?: string; submissionId?: string };
/** The answers of a question that has several, by the question's id. */
export type Branches = Record<string, UIMessage[]>;
export type EventsPage = { events: AuditEvent[]; cursor: number };

const TIMEOUT_MS = 8_000;

export class ApiFailure extends Error {
  /** 0 when no answer came at all. */
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;

  constructor(status: number, code: string, message: string, field?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

export type Api = ReturnType<typeof apiOf>;

/** The calls for one agent. */
export function apiOf(agent: string) {
  const base = `/api/${encodeURIComponent(agent)}`;
  const submission = (id: string) => `${base}/submissions/${encodeURIComponent(id)}`;
  return {
    info: () => call<Info>("GET", "/api/info"),
    submit: (request: SubmitRequest) => call<Receipt>("POST", `${base}/submissions`, request),
    list: async () => (await call<{ submissions: Submission[] }>("GET", `${base}/submissions?limit=50`)).submissions,
    cancel: (id: string, reason?: string) =>
      call<CancelSubmissionResult>("POST", `${submission(id)}/cancel`, reason ? { reason } : {}),
    remove: (id: string) => call<unknown>("DELETE", submission(id)),
    reset: () => call<unknown>("POST", `${base}/reset`),
    stop: () => call<unknown>("POST", `${base}/stop`),
    verify: () => call<LogVerification>("GET", `${base}/verify`),
    payload: async (digest: string) =>
      (await call<{ content: unknown }>("GET", `${base}/payloads/${encodeURIComponent(digest)}`)).content,
    messages: async () => (await call<{ messages: UIMessage[] }>("GET", `${base}/messages`)).messages,
    branches: async () => (await call<{ branches: Branches }>("GET", `${base}/branches`)).branches,
    startWorkflow: (request: WorkflowRequest) => call<{ workflowId: string }>("POST", `${base}/workflows`, request),
    workflows: async () => (await call<{ workflows: WorkflowSummary[] }>("GET", `${base}/workflows`)).workflows,
    workflow: (id: string) => call<WorkflowDetail>("GET", `${base}/workflows/${encodeURIComponent(id)}`),
    decide: (id: string, decision: "approve" | "reject", reason?: string) =>
      call<unknown>("POST", `${base}/workflows/${encodeURIComponent(id)}/${decision}`, reason ? { reason } : {}),
    replay: (ids: string[]) => call<unknown>("POST", `${base}/notifications/replay`, { ids }),
    schedules: () => call<Schedules>("GET", `${base}/schedules`),
    turnSchedules: (on: boolean) => call<Schedules>("POST", `${base}/schedules`, { on }),
    events: (query: Record<string, string | number>) =>
      call<EventsPage>("GET", `${base}/events?${new URLSearchParams(asStrings(query)).toString()}`),
  };
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method, signal: AbortSignal.timeout(TIMEOUT_MS) };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { "Content-Type": "application/json" };
  }
  const response = await fetch(path, init).catch(() => undefined);
  if (!response) throw new ApiFailure(0, "offline", "The server cannot be reached.");

  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as T;
  const error = (answer as { error?: { code: string; message: string; field?: string } } | undefined)?.error;
  throw new ApiFailure(response.status, error?.code ?? "internal", error?.message ?? response.statusText, error?.field);
}

function asStrings(query: Record<string, string | number>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}

export function asFailure(error: unknown): ApiFailure {
  return error instanceof ApiFailure ? error : new ApiFailure(0, "internal", String(error));
}
