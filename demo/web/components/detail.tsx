// One submission: what is known of it, what can be done with it, and its events. Without one: the whole log.
import { useRef } from "react";
import type { Api, Submission } from "../api.ts";
import { useTrail } from "../live/use-trail.ts";
import { Actions } from "./actions.tsx";
import { EventTrail } from "./event-trail.tsx";
import { type Outcome, OutcomeBox, type Report } from "./outcome.tsx";
import { StatusMark } from "./status-mark.tsx";
import { VerifyLog } from "./verify-log.tsx";

type Props = {
  api: Api;
  head: number;
  submissionId: string | undefined;
  submission: Submission | undefined;
  prompt: string | undefined;
  /** What was last done here led to this. */
  outcome: Outcome | undefined;
  onClose: () => void;
  onRemoved: () => void;
  report: Report;
};

export function Detail({ api, head, submissionId, submission, prompt, outcome, onClose, onRemoved, report }: Props) {
  const events = useTrail(api, submissionId, head);
  const title = useRef<HTMLHeadingElement>(null);
  return (
    <section className="pane" aria-labelledby="detail-title">
      <div className="pane-head">
        <h2 id="detail-title" ref={title} tabIndex={-1}>
          {submissionId === undefined ? "Whole log" : "Events of a submission"}
        </h2>
        {submissionId !== undefined && (
          <button type="button" onClick={onClose}>
            Show the whole log
          </button>
        )}
        <VerifyLog api={api} head={head} />
      </div>
      {submission && (
        <div className="facts">
          {prompt !== undefined && <p className="prompt">{prompt}</p>}
          <Facts submission={submission} />
          <Actions
            key={submission.submissionId}
            api={api}
            submission={submission}
            prompt={prompt}
            report={report}
            onRemoved={() => {
              onRemoved();
              title.current?.focus();
            }}
          />
        </div>
      )}
      <OutcomeBox outcome={outcome} />
      <EventTrail api={api} events={events} oneSubmission={submissionId !== undefined} />
    </section>
  );
}

function Facts({ submission: { submissionId, idempotencyKey, status, error, metadata } }: { submission: Submission }) {
  return (
    <dl>
      <dt>State</dt>
      <dd>
        <StatusMark status={status} />
        {error && <span className="reason"> {error}</span>}
      </dd>
      <dt>Id</dt>
      <dd className="mono">{submissionId}</dd>
      {idempotencyKey !== undefined && (
        <>
          <dt>Key</dt>
          <dd className="mono">{idempotencyKey}</dd>
        </>
      )}
      {metadata && (
        <>
          <dt>Metadata</dt>
          <dd className="mono">{JSON.stringify(metadata)}</dd>
        </>
      )}
    </dl>
  );
}
