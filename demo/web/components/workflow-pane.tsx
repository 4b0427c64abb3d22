// One workflow: its state and steps, its submissions, what it is told of them, its events; and the decision it waits for.
import { useState } from "react";
import type { Api, WorkflowDetail } from "../api.ts";
import { short } from "../format.ts";
import { EventTrail } from "./event-trail.tsx";
import { Field } from "./field.tsx";
import { Json } from "./json.tsx";

type Props = {
  api: Api;
  detail: WorkflowDetail;
  act: (name: string, work: () => Promise<string>) => Promise<void>;
  onSubmission: (submissionId: string) => void;
};

export function WorkflowPane({ api, detail, act, onSubmission }: Props) {
  const [reason, setReason] = useState("");
  const { workflow, steps, submissions, notifications, events } = detail;
  const { workflowId } = workflow;
  const decide = (decision: "approve" | "reject") =>
    void act("Not decided", async () => {
      await api.decide(workflowId, decision, reason.trim());
      return decision === "approve" ? "Approved." : "Rejected.";
    });
  return (
    <>
      <p>
        <strong>{workflow.state}</strong> <span className="mono hint">{workflowId}</span>
      </p>
      {workflow.error && <p className="reason">{workflow.error}</p>}
      {workflow.waitsForApproval && (
        <div className="facts">
          <Field id="decision-reason" label="Reason" hint="optional">
            {(props) => <input {...props} value={reason} maxLength={500} onChange={(e) => setReason(e.target.value)} />}
          </Field>
          <div className="row actions">
            <button type="button" className="primary" onClick={() => decide("approve")}>
              Approve
            </button>
            <button type="button" className="danger" onClick={() => decide("reject")}>
              Reject
            </button>
          </div>
        </div>
      )}
      <h2>Steps</h2>
      <ol className="trail" aria-label="Steps">
        {steps.map(({ step, state, result }) => (
          <li key={step}>
            <strong>{step}</strong> {state}
            {result !== undefined && <Json value={result} />}
          </li>
        ))}
      </ol>
      <h2>Submissions</h2>
      {submissions.map(({ submissionId, stepName, status, error, output }) => (
        <div key={submissionId} className="facts">
          <button type="button" onClick={() => onSubmission(submissionId)}>
            {stepName} {short(submissionId)}
          </button>{" "}
          {status}
          {error && <p className="reason">{error}</p>}
          {output !== undefined && <Json value={output} />}
        </div>
      ))}
      <h2>Notifications</h2>
      {notifications.length === 0 && <p className="empty">None: no prompt has ended yet.</p>}
      {notifications.map(({ notificationId, state, attempts, error }) => (
        <p key={notificationId}>
          <strong>{state}</strong> {short(notificationId)}, attempts: {attempts}
          {error && <span className="reason"> {error}</span>}
          {state === "parked" && (
            <button
              type="button"
              onClick={() => void act("Not replayed", async () => (await api.replay([notificationId]), "Replayed."))}
            >
              Replay
            </button>
          )}
        </p>
      ))}
      <h2>Events</h2>
      <EventTrail api={api} events={events} oneSubmission={false} />
    </>
  );
}
