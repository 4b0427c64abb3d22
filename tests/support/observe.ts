import { expect, vi } from "vitest";
import type { AgentClient } from "./agents.ts";
import { modelCallsOf } from "./test-agent.ts";

/** Types of the events of one submission, oldest first. */
export async function eventTypes(agent: AgentClient, submissionId: string): Promise<string[]> {
  const { events } = await agent.auditLog({ submissionId });
  return events.map(({ type }) => type);
}

/** Types of all events, oldest first. */
export async function allEventTypes(agent: AgentClient): Promise<string[]> {
  const { events } = await agent.auditLog({ limit: 500 });
  return events.map(({ type }) => type);
}

/** The conversation as `role: text`, oldest first. */
export async function transcript(agent: AgentClient): Promise<string[]> {
  const messages = await agent.getMessages();
  return messages.map(
    ({ role, parts }) => `${role}: ${parts.map((part) => ("text" in part ? part.text : "")).join("")}`,
  );
}

/** Ids of the listed submissions, in the order of the listing. */
export async function listedIds(
  agent: AgentClient,
  options?: Parameters<AgentClient["listSubmissions"]>[0],
): Promise<string[]> {
  return (await agent.listSubmissions(options)).map(({ submissionId }) => submissionId);
}

/** Resolves when the model of an agent has been called so often, over all of its lives. */
export const modelCalled = (name: string, times: number): Promise<void> =>
  vi.waitFor(() => expect(modelCallsOf(name)).toBeGreaterThanOrEqual(times), { timeout: 10_000, interval: 5 });
