// The part of the demo's agent that has workflows: starts them, hears from them, shows them, decides for a person.
import { Think } from "../../../src/index.ts";
import type { DemoEnv } from "../../env.ts";
import { APPROVAL, RESULT, stepNote } from "../../workflows/note.ts";
import { type Refusal, type Reply, refuse, reply } from "../reply.ts";
import { WorkflowNotes } from "./notes.ts";
import { detailOf } from "./detail.ts";
import { BINDINGS, summaryOf } from "./summary.ts";
import { openNotifications } from "./outbox.ts";
import type { NotificationView, WorkflowDetail, WorkflowRequest, WorkflowSummary } from "./view.ts";

const ENDED = new Set(["complete", "errored", "terminated"]);

export abstract class AgentWithWorkflows extends Think<DemoEnv> {
  readonly #notes = new WorkflowNotes(this.ctx.storage.sql);

  startWorkflow({ kind, ...params }: WorkflowRequest): Promise<Reply<{ workflowId: string }>> {
    return reply(async () => ({ workflowId: await this.runWorkflow(BINDINGS[kind], params, { metadata: params }) }));
  }

  /** The newest first. */
  workflows(): Promise<Reply<WorkflowSummary[]>> {
    const waiting = this.#notes.waiting();
    const { workflows } = this.getWorkflows({ limit: 50 });
    const value = workflows.map((info) => summaryOf(info, waiting.has(info.workflowId)));
    return Promise.resolve({ ok: true, value });
  }

  async workflow(workflowId: string): Promise<Reply<WorkflowDetail>> {
    const known = this.getWorkflow(workflowId);
    if (!known) return refuse(notFound(workflowId));
    // What it has not told by itself: that it was started, or that somebody terminated it.
    if (!ENDED.has(known.status)) await this.getWorkflowStatus(known.workflowName as never, workflowId).catch(() => {});
    const info = this.getWorkflow(workflowId) ?? known;
    const steps = this.#notes.of(workflowId);
    const waits = this.#notes.waiting().has(workflowId);
    return { ok: true, value: await detailOf(this, summaryOf(info, waits), steps) };
  }

  /** Once: a second decision finds nothing that waits. */
  async decide(workflowId: string, approved: boolean, reason?: string): Promise<Reply<{ workflowId: string }>> {
    if (!this.getWorkflow(workflowId)) return refuse(notFound(workflowId));
    const step = { step: APPROVAL, result: { approved, ...(reason !== undefined && { reason }) } };
    if (!this.#notes.waiting().has(workflowId)) {
      const message = `Workflow ${workflowId} does not wait for an approval.`;
      return refuse({ code: "workflow-not-waiting", message });
    }
    this.#notes.write(workflowId, { ...step, state: approved ? "done" : "failed" });
    try {
      const decision = reason === undefined ? {} : { reason };
      await (approved ? this.approveWorkflow(workflowId, decision) : this.rejectWorkflow(workflowId, decision));
    } catch (error) {
      this.#notes.reopen(workflowId, APPROVAL);
      throw error;
    }
    return { ok: true, value: { workflowId } };
  }

  /** What the outbox holds: due, or given up; both without a state. */
  notifications(state?: "due" | "parked"): Promise<Reply<NotificationView[]>> {
    return reply(async () => (await openNotifications(this)).filter((row) => !state || row.state === state));
  }

  /** Another try for what was given up. */
  replay(ids: string[]): Promise<Reply<{ replayed: number }>> {
    return reply(async () => ({ replayed: await this.replayNotifications({ ids }) }));
  }

  override onWorkflowEvent(_workflowName: string, workflowId: string, event: unknown): Promise<void> {
    const note = stepNote.safeParse(event);
    if (note.success) this.#notes.write(workflowId, note.data);
    return Promise.resolve();
  }

  override onWorkflowComplete(_workflowName: string, workflowId: string, result?: unknown): Promise<void> {
    this.#notes.write(workflowId, { step: RESULT, state: "done", result });
    return Promise.resolve();
  }
}

const notFound = (workflowId: string): Refusal => ({
  code: "workflow-not-found",
  message: `There is no workflow ${workflowId}.`,
});
