import { cancelRunning, cancelTurn } from "../engine/cancel-turns.ts";
import { reset } from "../engine/reset.ts";
import { statusHookScope } from "../engine/hook-scope.ts";
import { checkTimeout } from "../input/timeout.ts";
import { type CallChain } from "../turn/call-chain.ts";
import { hasPendingInteraction } from "../turn/interaction.ts";
import { assertNotInsideTurn } from "../turn/nested-calls.ts";
import { reasonText } from "../turn/reason-text.ts";
import { waitUntilStable } from "../turn/stability.ts";
import { activeTurnOf, callChainOf } from "../turn/turn-scope.ts";
import type { ActiveTurn } from "../types.ts";
import { causeOf } from "./cause.ts";
import { clearConversation } from "./clear.ts";
import { engineOf, internalsOf, memoryOf, wireOf } from "./internals.ts";
import { ThinkSchedule } from "./schedule.ts";

/** What is running, what is waited for, and how to end it. */
export abstract class ThinkControl<
  Env extends Cloudflare.Env = Cloudflare.Env,
  State = unknown,
  Props extends Record<string, unknown> = Record<string, unknown>,
> extends ThinkSchedule<Env, State, Props> {
  /** The turn that the calling code is part of: in tools and hooks. */
  get activeTurn(): ActiveTurn | undefined {
    return activeTurnOf(this);
  }

  /** The metadata that the running turn's caller gave to {@link Think.chat}. */
  get activeTurnMetadata(): Record<string, unknown> | undefined {
    if (!this.activeTurn) return undefined;
    const user = memoryOf(this)
      .conversation.messages()
      .findLast((message) => message.role === "user");
    return (user?.metadata as { turnMetadata?: Record<string, unknown> } | undefined)?.turnMetadata;
  }

  /**
   * End one turn, waiting or running, whatever started it. Returns once that is on record; the model may take a
   * moment to stop.
   *
   * @param requestId - The turn's id: of a result, of `onStart`, of {@link Think.activeTurn}, or of a submission.
   * One that is unknown, or has ended, is ignored.
   * @param reason - Kept as the turn's error.
   */
  cancelChat(requestId: string, reason?: string): void {
    this.abortRequest(requestId, reason);
  }

  /** End the turn that runs; those that wait stay. */
  cancelAllChats(): void {
    this.abortAllRequests();
  }

  /**
   * What to pass as `calledFrom` when a tool or hook calls another agent and waits for it: with it, a call
   * that comes back to this agent is refused, and without it such a circle waits for ever.
   */
  get callChain(): CallChain {
    return callChainOf(this, this.ctx.id.toString());
  }

  /** Does the newest answer wait for an approval, or for a tool that the client runs? */
  protected hasPendingInteraction(): boolean {
    const messages = memoryOf(this).conversation.messages();
    const live = internalsOf(this).live.message?.();
    const newest = live ?? messages.at(-1);
    const isClientTool = newest ? wireOf(this).clientToolsFor(newest) : () => false;
    return hasPendingInteraction(messages, live, isClientTool);
  }

  /**
   * Wait until no turn waits or runs and nobody is asked for anything.
   *
   * @param options - `timeout` in milliseconds; without one it waits for as long as it takes.
   * @returns `false` when the time is over first.
   * @throws when called without a timeout from inside a turn, which would wait for itself.
   */
  protected async waitUntilStable(options?: { timeout?: number }): Promise<boolean> {
    const timeout = checkTimeout(options?.timeout);
    if (timeout === undefined) assertNotInsideTurn(this, "waitUntilStable");
    await memoryOf(this).conversation.ready();
    const { queue } = engineOf(this);
    return waitUntilStable(
      {
        laneOccupied: () => Object.values(queue.head()).some((row) => row !== undefined),
        pendingInteraction: () => wireOf(this).isGoingOn || this.hasPendingInteraction(),
        now: () => Date.now(),
        wait: (ms) => scheduler.wait(ms),
      },
      timeout,
    );
  }

  /** As {@link Think.cancelChat}; an Error's message or the text of the reason is kept. */
  protected abortRequest(requestId: string, reason?: unknown): void {
    cancelTurn(engineOf(this), requestId, reasonText(reason), causeOf(this));
  }

  /** As {@link Think.cancelAllChats}. */
  protected abortAllRequests(): void {
    cancelRunning(engineOf(this), causeOf(this));
  }

  /**
   * End every turn, as {@link Think.resetTurnState} does, and delete the conversation. The log stays.
   *
   * Resolves when `onSubmissionStatus` has returned for every submission that this ended; called from within that
   * hook it does not wait for it.
   */
  async clearMessages(): Promise<void> {
    const { effects } = await clearConversation(this);
    wireOf(this).cleared();
    if (!statusHookScope.isInside()) await effects;
  }

  /**
   * End every turn at once: what runs is aborted, what waits is skipped. Messages stay.
   */
  protected resetTurnState(): void {
    reset(engineOf(this), "reset", causeOf(this));
  }
}
