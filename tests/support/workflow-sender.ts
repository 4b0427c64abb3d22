import { vi } from "vitest";

/** One event as a workflow gets it. */
export type Sent = {
  readonly workflowName: string;
  readonly workflowId: string;
  readonly event: { readonly type: string; readonly payload: unknown };
};

type Answer = (sent: Sent) => void | Promise<void>;

/** What workflows got from an agent by name, over all of its lives, and how they answer. */
const sent = new Map<string, Sent[]>();
const answers = new Map<string, Answer>();

/** In the place of the agent's own way to Workflows. */
export async function sendFrom(agent: string, one: Sent): Promise<void> {
  sent.set(agent, [...sentBy(agent), one]);
  await answers.get(agent)?.(one);
}

export const sentBy = (agent: string): readonly Sent[] => sent.get(agent) ?? [];

/** From now on the workflows of this agent answer so: a throw is a delivery that failed. */
export const answerWith = (agent: string, answer: Answer): void => void answers.set(agent, answer);

/** Resolves when so many events have been sent. */
export const sentTimes = async (agent: string, times: number): Promise<void> => {
  await vi.waitUntil(() => sentBy(agent).length >= times, { timeout: 10_000, interval: 5 });
};
