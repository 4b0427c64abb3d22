import { checkWorkflowPrompt, type WorkflowPrompt } from "../input/workflow-prompt.ts";
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
  async _thinklog_submitPrompt(request: WorkflowPrompt): Promise<{ submissionId: string }> {
    const input = checkWorkflowPrompt(request, crypto.randomUUID());
    const cause = causeOf(this);
    const { acceptance, store, dispatcher } = engineOf(this);
    const { submissionId, accepted } = await acceptance.accept(input, cause, false);
    // The step starts over, and may wait for an event that it got in an earlier life, or that was given up.
    if (!accepted) await resend({ store, dispatcher }, submissionId, cause);
    return { submissionId };
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
