import { tracing } from "cloudflare:workers";

type Attributes = Readonly<Record<string, boolean | number | string | undefined>>;

/**
 * A trace span around work, on the tracing of the platform. `set` adds attributes that are known only
 * later. What the work throws is on the span, and thrown on.
 */
export function inSpan<T>(name: string, attributes: Attributes, work: (set: (attributes: Attributes) => void) => T): T {
  return tracing.enterSpan(name, (span) => {
    span.setAttributes({ "cloudflare.agents.operation.name": name, ...attributes });
    return work((more) => void span.setAttributes(more));
  });
}

/** The two halves of a submission, each in a span of the whole. */
export const inSubmissionSpan = <T>(half: "accept_chat_submission" | "execute_chat_submission", work: () => T): T =>
  inSpan("chat_submission", {}, () => inSpan(half, {}, work));
