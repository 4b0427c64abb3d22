// How far each workflow is, step by step, as it told: a table of the demo's own beside those of Think.
import { APPROVAL, type StepNote } from "../../workflows/note.ts";
import type { WorkflowStepView } from "./view.ts";

type Row = { step: string; state: StepNote["state"]; result: string | null; began_at: number; changed_at: number };

export class WorkflowNotes {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS demo_workflow_steps (
        workflow_id TEXT NOT NULL, step TEXT NOT NULL, state TEXT NOT NULL, result TEXT,
        began_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, PRIMARY KEY (workflow_id, step)
      )`);
  }

  /** What is told twice changes nothing: a step that has ended does not begin again. */
  write(workflowId: string, { step, state, result }: StepNote): void {
    const ends = state === "done" || state === "failed";
    const now = Date.now();
    this.#sql.exec(
      `INSERT INTO demo_workflow_steps VALUES (?1, ?2, ?3, ?4, ?5, ?5)
       ON CONFLICT DO UPDATE SET state = ?3, result = coalesce(?4, result), changed_at = ?5
       WHERE ?6 AND state NOT IN ('done', 'failed')`,
      workflowId,
      step,
      state,
      result === undefined ? null : JSON.stringify(result),
      now,
      ends ? 1 : 0,
    );
  }

  /** It waits again: what was decided did not reach the workflow. */
  reopen(workflowId: string, step: string): void {
    const query = "UPDATE demo_workflow_steps SET state = 'waiting', result = NULL WHERE workflow_id = ? AND step = ?";
    this.#sql.exec(query, workflowId, step);
  }

  of(workflowId: string): WorkflowStepView[] {
    const query = "SELECT * FROM demo_workflow_steps WHERE workflow_id = ? ORDER BY began_at, rowid";
    return this.#sql
      .exec<Row>(query, workflowId)
      .toArray()
      .map(({ step, state, result, began_at: beganAt, changed_at: changedAt }) => ({
        step,
        state,
        beganAt,
        ...(result !== null && { result: JSON.parse(result) as {} }),
        ...((state === "done" || state === "failed") && { endedAt: changedAt }),
      }));
  }

  /** Workflows that wait for a person. */
  waiting(): Set<string> {
    const query = "SELECT workflow_id AS id FROM demo_workflow_steps WHERE step = ? AND state = 'waiting'";
    return new Set(
      this.#sql
        .exec<{ id: string }>(query, APPROVAL)
        .toArray()
        .map(({ id }) => id),
    );
  }
}
