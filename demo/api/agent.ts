// Reaches the agent a path names, and opens its replies.
import { getAgentByName } from "agents";
import type { DemoAgent } from "../agent/demo-agent.ts";
import type { Refusal, Reply } from "../agent/reply.ts";
import { ApiError } from "./errors.ts";
import { agentName } from "./input.ts";
import { check } from "./parse.ts";
import type { RouteInput } from "./router.ts";

/** The calls the API makes. As the class has them: the types of an RPC stub lose what a reply carries. */
export type AgentCalls = Pick<
  DemoAgent,
  | "submit"
  | "inspect"
  | "list"
  | "cancel"
  | "remove"
  | "audit"
  | "payload"
  | "verify"
  | "reset"
  | "transcript"
  | "branches"
  | "stop"
  | "startWorkflow"
  | "workflows"
  | "workflow"
  | "decide"
  | "notifications"
  | "replay"
  | "schedules"
  | "turnSchedules"
>;

export function agentOf({ env, params }: RouteInput): Promise<AgentCalls> {
  return getAgentByName(env.DemoAgent, check(agentName, params.agent, "agent"));
}

/** The value of a reply; a refusal becomes the response. */
export function opened<T>(reply: Reply<T>): T {
  if (reply.ok) return reply.value;
  throw new ApiError(statusOf(reply.error), reply.error);
}

/** Every other refusal is about the input. */
const STATUS: Record<string, number> = {
  "submission-not-found": 404,
  "submission-active": 409,
  "workflow-not-found": 404,
  "workflow-not-waiting": 409,
  conflict: 409,
  "payload-mismatch": 409,
};

const statusOf = ({ code }: Refusal): number => STATUS[code] ?? 400;
