import type { Agent } from "agents";
import type { RunWorkflowOptions, WorkflowCallback } from "agents/workflows";
import { messageOf } from "../engine/message-of.ts";
import { checkWorkflowRun } from "../input/workflow-run.ts";
import { checkWorkflowPrompt, type WorkflowPrompt } from "../input/workflow-prompt.ts";
import { newWorkflowId } from "./agent-workflows.ts";
import { replay, resend } from "../engine/outbox/again.ts";
import { listNotifications } from "../engine/outbox/listing.ts";
import { checkListing, checkReplay } from "../input/notifications.ts";
import type { ListNotificationsOptions, ReplayNotificationsOptions, ThinkNotification } from "../types.ts";
import { causeOf } from "./cause.ts";
import { engineOf } from "./internals.ts";
import { ThinkSubmissions } from "./submissions.ts";

/** Prompts that workflows wait for, and the notifications they wait for them with. */
export abstract class ThinkWorkflows<
  Env extends Cloudflare.Env = Cloudflare.Env,
  State = unknown,
  Props extends Record<string, unknown> = Record<string, unknown>,
> extends ThinkSubmissions<Env, State, Props> {
  /**
   * The way in of `step.prompt()`: a submission whose outcome is sent to the workflow. Over RPC only, so that no
   * client can name a workflow that is not its own.
   *
   * @internal
   * @throws {ThinkInputError} naming the field, when the prompt is not acceptable.
   */
  async _thinklog_submitPrompt(request: WorkflowPrompt): Promise<{ submissionId: string; notifies: boolean }> {
    const input = checkWorkflowPrompt(request, crypto.randomUUID());
    const cause = causeOf(this);
    const { acceptance, store, dispatcher, outbox } = engineOf(this);
    const { submissionId, accepted } = await acceptance.accept(input, cause, false);
    // The step starts over, and may wait for an event that it got in an earlier life, or that was given up.
    const resent = accepted ? "notifies" : await resend({ store, dispatcher, outbox }, submissionId, cause);
    // Its key is free: the prompt is asked anew.
    if (resent === "deleted") return this._thinklog_submitPrompt(request);
    return { submissionId, notifies: resent === "notifies" };
  }

  /**
   * Start a workflow and track it. On record before the instance is made: when the agent stops in between, its next
   * life finds the instance or makes it, once.
   *
   * @param params - A plain object that JSON can hold; kept until the start.
   * @param options - `id`: with it a retry after a lost answer finds the same run.
   * @returns The id of the instance.
   * @throws {ThinkInputError} naming the field, when an argument is not acceptable.
   * @throws when there is no such binding, when a workflow with the id is tracked already, or when the platform
   * refuses. After an error that leaves open whether the instance exists, it is looked for later, and tracked if it does.
   *
   * @example
   * const workflowId = await this.runWorkflow("REPORT", { month: "2026-11" }, { id: "report-2026-11" });
   */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- As Agent has it: callers may name it.
  override async runWorkflow<P = unknown>(
    workflowName: Parameters<Agent<Env, State, Props>["runWorkflow"]>[0],
    params: P,
    options?: RunWorkflowOptions,
  ): Promise<string> {
    const input = checkWorkflowRun(workflowName, params, options, newWorkflowId);
    const isNewId = options?.id === undefined;
    return engineOf(this).workflowStarter.run(input, isNewId, causeOf(this));
  }

  /**
   * What a workflow tells. Its end goes on record before the agent's hooks hear of it.
   *
   * @internal
   */
  override async _workflow_handleCallback(callback: WorkflowCallback): Promise<void> {
    await this.lifecycle.start();
    const { workflowRequests, workflowStarter } = engineOf(this);
    const { type: kind, workflowName, workflowId } = callback;
    workflowStarter.heardFrom(workflowName, workflowId);
    if (kind === "complete") workflowRequests.report({ kind, workflowName, workflowId });
    if (kind === "error") workflowRequests.report({ kind, workflowName, workflowId, error: messageOf(callback.error) });
    await super._workflow_handleCallback(callback);
  }

  /**
   * Outcomes that their workflows have not been told of: those that are tried again, soonest first, and then
   * those that were given up. What was delivered is not listed.
   *
   * @throws {ThinkInputError} naming the field, when a filter is not acceptable.
   *
   * @example
   * for (const { workflowId, error } of await agent.listNotifications({ state: "parked" })) console.log(workflowId, error);
   */
  async listNotifications(options?: ListNotificationsOptions): Promise<ThinkNotification[]> {
    const { state, limit } = checkListing(options);
    return listNotifications(engineOf(this).outboxQueries, state, limit);
  }

  /**
   * Try notifications that were given up again, as if for the first time.
   *
   * @returns How many were put back; an id that is not that of a notification which was given up counts for nothing.
   * @throws {ThinkInputError} naming the field, when `ids` is not an array of at most 500 texts.
   *
   * @example
   * const parked = await agent.listNotifications({ state: "parked" });
   * await agent.replayNotifications({ ids: parked.map(({ notificationId }) => notificationId) });
   */
  async replayNotifications(options: ReplayNotificationsOptions): Promise<number> {
    const { store, dispatcher } = engineOf(this);
    return replay({ store, dispatcher }, checkReplay(options), causeOf(this));
  }
}
