import {
  type Decision,
  endWorkflowRequest,
  type EndRequest,
  leaveUnclear,
  reportWorkflow,
  requestWorkflow,
  type WorkflowState,
} from "../../commands/index.ts";
import { type EventData, workflowStream } from "../../events/index.ts";
import type { WorkflowRequestRow } from "../../projections/index.ts";
import type { WorkflowRunInput } from "../../input/workflow-run.ts";
import { type Cause, ENGINE } from "../cause.ts";
import type { Dispatcher, Recorded } from "../dispatcher.ts";
import type { Ids } from "../ports.ts";
import type { Store } from "../store.ts";
import type { WorkflowRun } from "./port.ts";

/** A run that is to be started. `failure`: the error its caller got; then it is only to be found. */
export type OpenRun = WorkflowRun & { readonly failure: string | undefined };

/** What is on record about workflows: the requests that are open, and how they ended. */
export class WorkflowRequests {
  readonly #store: Store;
  readonly #dispatcher: Dispatcher;
  readonly #ids: Ids;

  constructor(store: Store, dispatcher: Dispatcher, ids: Ids) {
    this.#store = store;
    this.#dispatcher = dispatcher;
    this.#ids = ids;
  }

  /** Ask for a run; `undefined` when another one has the id. The params are kept until it has started. */
  open(input: WorkflowRunInput, cause: Cause): Recorded | undefined {
    const { params, metadata, ...facts } = input;
    const { payloads } = this.#store;
    const [kept, named] = [params, metadata].map((content) =>
      content === undefined ? undefined : payloads.prepare(content, this.#ids.salt()),
    );
    const request = {
      ...facts,
      ...(kept && { params: kept.digest }),
      ...(named && { metadata: named.digest }),
    };
    const decision = requestWorkflow({ request, retry: this.#isSame(input) }, this.#state(input.workflowId));
    if (decision.kind === "refuse") return undefined;
    return this.#dispatcher.record(decision.appends, cause, () => {
      kept?.write();
      named?.write();
    });
  }

  /** The run that is to be started under this id. */
  get(workflowId: string): OpenRun | undefined {
    const row = this.#row(workflowId);
    return row && this.#runOf(row);
  }

  isOpen(workflowId: string): boolean {
    return this.#row(workflowId) !== undefined;
  }

  /** Is any open? Unlike a look at all of them, it reads no content. */
  hasOpen(): boolean {
    return this.#store.projections.workflowRequests.all().length > 0;
  }

  /** All that are open: those of earlier lives, and those that are being started now. */
  all(): OpenRun[] {
    return this.#store.projections.workflowRequests.all().map((row) => this.#runOf(row));
  }

  /** The request ended; its content is not needed any more. `false`: it had ended before. */
  end(end: EndRequest, alongside?: () => void): boolean {
    const row = this.#row(end.workflowId);
    return this.#record(endWorkflowRequest(end, this.#state(end.workflowId)), () => {
      for (const digest of [row?.params, row?.metadata]) if (digest) this.#store.payloads.remove(digest);
      alongside?.();
    });
  }

  /** Nobody can tell whether the instance exists, and the caller gets this error. */
  leaveUnclear(facts: EventData<"WorkflowStartUnclear">): void {
    this.#record(leaveUnclear(facts, this.#state(facts.workflowId)));
  }

  /** What a workflow told of its end. */
  report(report: EventData<"WorkflowReported">): void {
    const { workflowId } = report;
    this.#record(reportWorkflow(report, this.#state(workflowId)), undefined, `workflow:${workflowId}`);
  }

  #record(decision: Decision, alongside?: () => void, actor = ENGINE): boolean {
    if (decision.kind === "refuse") return false;
    return this.#dispatcher.record(decision.appends, { actor, causationId: "workflow" }, alongside).events.length > 0;
  }

  #state(workflowId: string): WorkflowState {
    const version = this.#store.log.stream(workflowStream(workflowId))?.version ?? 0;
    return { version, open: this.isOpen(workflowId) };
  }

  #row(workflowId: string): WorkflowRequestRow | undefined {
    return this.#store.projections.workflowRequests.load(workflowId);
  }

  #isSame(input: WorkflowRunInput): boolean {
    const row = this.#row(input.workflowId);
    return (
      row?.workflowName === input.workflowName &&
      this.#content(row.params) === input.params &&
      this.#content(row.metadata) === input.metadata &&
      (row.agentBinding ?? undefined) === input.agentBinding &&
      (row.retention ?? undefined) === (input.retention && JSON.stringify(input.retention))
    );
  }

  #runOf(row: WorkflowRequestRow): OpenRun {
    const { workflowName, workflowId, params, metadata, agentBinding, retention, failure } = row;
    return {
      workflowName,
      workflowId,
      params: parsed(this.#content(params)),
      metadata: parsed(this.#content(metadata)) as WorkflowRun["metadata"],
      agentBinding: agentBinding ?? undefined,
      retention: parsed(retention ?? undefined) as WorkflowRun["retention"],
      failure: failure ?? undefined,
    };
  }

  #content(digest: string | null): string | undefined {
    return digest === null ? undefined : this.#store.payloads.get(digest);
  }
}

const parsed = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json));
