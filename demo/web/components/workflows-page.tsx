// The page of workflows: start one, the list of them, and one with everything around it.
import { type Api, asFailure, type WorkflowRequest } from "../api.ts";
import { clock } from "../format.ts";
import { useWorkflows } from "../live/use-workflows.ts";
import { OutcomeBox, type Outcome, type Report } from "./outcome.tsx";
import { WorkflowForms } from "./workflow-forms.tsx";
import { WorkflowPane } from "./workflow-pane.tsx";

type Props = {
  api: Api;
  workflowId: string | undefined;
  outcome: Outcome | undefined;
  report: Report;
  onSelect: (workflowId: string) => void;
  onSubmission: (submissionId: string) => void;
};

export function WorkflowsPage({ api, workflowId, outcome, report, onSelect, onSubmission }: Props) {
  const { workflows, detail, problem, look } = useWorkflows(api, workflowId);
  const act = async (name: string, work: () => Promise<string>) => {
    report(undefined);
    try {
      report({ kind: "done", message: await work() });
    } catch (error) {
      report({ kind: "failed", message: `${name}: ${asFailure(error).message}` });
    }
    look();
  };
  const start = (request: WorkflowRequest) =>
    act("Not started", async () => {
      onSelect((await api.startWorkflow(request)).workflowId);
      return "Started.";
    });
  return (
    <main>
      <div className="column">
        <WorkflowForms start={(request) => void start(request)} />
        <OutcomeBox outcome={outcome} />
      </div>
      <section className="pane" aria-labelledby="workflows-title">
        <h2 id="workflows-title">Workflows</h2>
        {workflows.length === 0 && <p className="empty">None yet.</p>}
        <table>
          <tbody>
            {workflows.map((workflow) => (
              <tr
                key={workflow.workflowId}
                className={workflow.workflowId === workflowId ? "selected" : undefined}
                data-status={workflow.state}
              >
                <td>{workflow.state}</td>
                <td className="what">
                  <button
                    type="button"
                    className="select"
                    aria-pressed={workflow.workflowId === workflowId}
                    onClick={() => onSelect(workflow.workflowId)}
                  >
                    {workflow.about}
                  </button>
                  <p className="hint">{workflow.kind}</p>
                </td>
                <td className="mono wide">{clock(workflow.createdAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section className="pane" aria-labelledby="workflow-title">
        <h2 id="workflow-title">One workflow</h2>
        {problem && <p className="field-error">{problem}</p>}
        {detail ? (
          <WorkflowPane key={workflowId} api={api} detail={detail} act={act} onSubmission={onSubmission} />
        ) : (
          <p className="empty">Choose one to see its steps, submissions, notifications and events.</p>
        )}
      </section>
    </main>
  );
}
