import type { ConversationCapability } from "../conversation/capability.ts";
import type { EngineCapability } from "../engine/capability.ts";
import type { Engine } from "../engine/engine.ts";
import type { ScheduleCapability } from "../schedule/capability.ts";
import type { LiveAnswer } from "../turn/ports.ts";
import type { ChatWire } from "../wire/chat-wire.ts";

/** The parts of one agent. */
type Internals = {
  readonly engine: EngineCapability;
  readonly memory: ConversationCapability;
  readonly live: LiveAnswer;
  readonly wire: ChatWire;
  readonly schedule: ScheduleCapability;
};

/**
 * Kept beside the agents and not on them: the classes that make up `Think` share them, and a subclass may
 * use any name for members of its own.
 */
const internals = new WeakMap<object, Internals>();

export const setInternals = (agent: object, parts: Internals): void => void internals.set(agent, parts);

export function internalsOf(agent: object): Internals {
  const parts = internals.get(agent);
  if (!parts) throw new Error("The agent is not constructed yet");
  return parts;
}

/** @throws when the agent has not started. */
export const engineOf = (agent: object): Engine => internalsOf(agent).engine.engine;

export const wireOf = (agent: object): ChatWire => internalsOf(agent).wire;

export const scheduleOf = (agent: object): ScheduleCapability => internalsOf(agent).schedule;

export const memoryOf = (agent: object): ConversationCapability => internalsOf(agent).memory;
