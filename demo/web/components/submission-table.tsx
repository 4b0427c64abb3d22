// The ledger, newest first, with clocks that run. The button in each row selects it; the arrow keys move between rows.
import type { KeyboardEvent } from "react";
import type { Submission } from "../api.ts";
import { clock, duration, short, times } from "../format.ts";
import { isActive, type Picture } from "../live/poller.ts";
import { useNow } from "../live/use-now.ts";
import { StatusMark } from "./status-mark.tsx";

type Props = {
  picture: Picture;
  prompts: ReadonlyMap<string, string>;
  selectedId: string | undefined;
  onSelect: (submissionId: string) => void;
};

export function SubmissionTable({ picture: { submissions, connection }, prompts, selectedId, onSelect }: Props) {
  const now = useNow(submissions.some(isActive));
  return (
    <section className="pane" aria-labelledby="submissions-title">
      <div className="pane-head">
        <h2 id="submissions-title">Submissions</h2>
        <p className="hint">{summary(submissions)}</p>
      </div>
      {submissions.length === 0 ? (
        <p className="empty">
          {connection === "connecting"
            ? "Loading …"
            : "Nothing yet. Submit a prompt: it is acknowledged at once and runs in order."}
        </p>
      ) : (
        <div className="rows">
          <table onKeyDown={moveBetweenRows}>
            <thead>
              <tr>
                <th scope="col">State</th>
                <th scope="col">Submission</th>
                <th scope="col" className="wide">
                  Accepted
                </th>
                <th scope="col" className="number">
                  Wait
                </th>
                <th scope="col" className="number">
                  Run
                </th>
              </tr>
            </thead>
            <tbody>
              {submissions.map((submission) => (
                <Row
                  key={submission.submissionId}
                  submission={submission}
                  prompt={prompts.get(submission.submissionId)}
                  selected={submission.submissionId === selectedId}
                  now={now}
                  onSelect={onSelect}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

type RowProps = {
  submission: Submission;
  prompt: string | undefined;
  selected: boolean;
  now: number;
  onSelect: (submissionId: string) => void;
};

function Row({ submission, prompt, selected, now, onSelect }: RowProps) {
  const { submissionId, idempotencyKey, status, createdAt, error } = submission;
  const { wait, run } = times(submission, now);
  const name = idempotencyKey ?? (prompt === undefined ? undefined : short(submissionId));
  return (
    <tr className={selected ? "selected" : undefined} data-submission={submissionId} data-status={status}>
      <td>
        <StatusMark status={status} />
      </td>
      <td className="what">
        <button type="button" className="select" aria-pressed={selected} onClick={() => onSelect(submissionId)}>
          {prompt ?? short(submissionId)}
        </button>
        {name !== undefined && <p className="mono hint">{name}</p>}
        {error && <p className="reason">{error}</p>}
      </td>
      <td className="mono wide">{clock(createdAt)}</td>
      <td className="mono number">{duration(wait)}</td>
      <td className="mono number">{run === undefined ? "–" : duration(run)}</td>
    </tr>
  );
}

function summary(submissions: Submission[]): string {
  const count = (status: Submission["status"]) =>
    submissions.filter((submission) => submission.status === status).length;
  const running = count("running");
  const waiting = count("pending");
  return `${running} running · ${waiting} waiting · ${submissions.length - running - waiting} ended`;
}

function moveBetweenRows(event: KeyboardEvent<HTMLTableElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("button.select")];
  const next = buttons[buttons.findIndex((button) => button === document.activeElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
