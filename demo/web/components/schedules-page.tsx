// The page of tasks by the clock: what is next, and what became of the slots before.
import type { Api, Occurrence, ScheduledTask } from "../api.ts";
import { day } from "../format.ts";
import { useSchedules } from "../live/use-schedules.ts";

type Props = { api: Api; head: number; onSubmission: (submissionId: string) => void };

export function SchedulesPage({ api, head, onSubmission }: Props) {
  const { schedules, problem, turn } = useSchedules(api, head);
  return (
    <main>
      <section className="pane" aria-labelledby="schedules-title">
        <div className="pane-head">
          <h2 id="schedules-title">Schedules</h2>
          {schedules && (
            <button type="button" onClick={() => turn(!schedules.on)}>
              {schedules.on ? "Turn off" : "Turn on"}
            </button>
          )}
        </div>
        {problem && <p className="field-error">{problem}</p>}
        {schedules?.tasks.length === 0 && <p className="empty">Off. Turned on, the agent works by the clock.</p>}
        {schedules && schedules.tasks.length > 0 && (
          <div className="rows">
            <table>
              <thead>
                <tr>
                  <th scope="col">Task</th>
                  <th scope="col">Last</th>
                  <th scope="col">Outcome</th>
                  <th scope="col">Next</th>
                </tr>
              </thead>
              <tbody>
                {schedules.tasks.map((task) => (
                  <Row key={task.taskId} task={task} onSubmission={onSubmission} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
      <section className="pane" aria-labelledby="occurrences-title">
        <h2 id="occurrences-title">Latest occurrences</h2>
        {schedules?.tasks.every(({ latest }) => latest.length === 0) && <p className="empty">None yet.</p>}
        <table>
          <tbody>
            {schedules?.tasks
              .flatMap(({ latest }) => latest)
              .toSorted((a, b) => b.at - a.at)
              .map((one) => (
                <tr key={`${one.taskId} ${one.outcome} ${one.scheduledFor}`} data-outcome={one.outcome}>
                  <td className="mono">{day(one.scheduledFor)}</td>
                  <td>{one.taskId}</td>
                  <td className="what">{wordsOf(one)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </section>
    </main>
  );
}

function Row({ task, onSubmission }: { task: ScheduledTask; onSubmission: Props["onSubmission"] }) {
  const { taskId, schedule, timezone, next, last, problem } = task;
  const { submissionId } = last ?? {};
  return (
    <tr data-task={taskId}>
      <td className="what">
        {taskId}
        <p className="hint">
          {schedule}
          {timezone && schedule && !schedule.includes(" in ") && ` in ${timezone}`}
        </p>
        {problem && <p className="reason">{problem}</p>}
      </td>
      <td className="mono">{last ? day(last.scheduledFor) : "–"}</td>
      <td className="what">
        {submissionId === undefined ? (
          (last?.outcome ?? "–")
        ) : (
          <button type="button" className="select" onClick={() => onSubmission(submissionId)}>
            {last?.outcome}
          </button>
        )}
        {last?.error && <p className="reason">{last.error}</p>}
      </td>
      <td className="mono">{next === undefined ? "–" : day(next)}</td>
    </tr>
  );
}

function wordsOf(one: Occurrence): string {
  switch (one.outcome) {
    case "fired":
      return one.attempts === 1 ? "fired" : `fired at attempt ${one.attempts}`;
    case "failed":
      return `failed: ${one.error}`;
    case "skipped":
      return one.count === 1 ? "skipped" : `${one.count} skipped, until ${day(one.until)}`;
    case "cancelled":
      return "cancelled";
    default:
      return one satisfies never;
  }
}
