// The one shape of every error of the API: {error: {code, message, field?}}.
import type { Refusal } from "../agent/reply.ts";

/** Thrown by a route; becomes the response. */
export class ApiError extends Error {
  readonly status: number;
  readonly refusal: Refusal;
  readonly headers: Record<string, string>;

  constructor(status: number, refusal: Refusal, headers: Record<string, string> = {}) {
    super(refusal.message);
    this.status = status;
    this.refusal = refusal;
    this.headers = headers;
  }
}

export function invalid(field: string | undefined, message: string, code = "invalid-input"): ApiError {
  return new ApiError(400, { code, message, ...(field && { field }) });
}

/** Known failures keep their words; what nobody foresaw says no more than its message. */
export function errorResponse(error: unknown): Response {
  if (error instanceof ApiError) {
    return Response.json({ error: error.refusal }, { status: error.status, headers: error.headers });
  }
  console.error(error);
  const message = error instanceof Error ? error.message : String(error);
  return Response.json({ error: { code: "internal", message } }, { status: 500 });
}
