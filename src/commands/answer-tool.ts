import type { EventData } from "../events/index.ts";
import { type Decision, record } from "./decision.ts";

/** Where it goes on record: with the turn that made the call, or with the conversation when none is known. */
export type InteractionState = { readonly stream: string; readonly version: number };

/** A call was answered by a client or a person. Whether it waited for that answer, its message says. */
export const answerTool = (fact: EventData<"ToolAnswered">, { stream, version }: InteractionState): Decision =>
  record({ stream, expectedVersion: version, events: [{ type: "ToolAnswered", data: fact }] });

/** Nobody answered in time. */
export const expireInteraction = (
  fact: EventData<"InteractionExpired">,
  { stream, version }: InteractionState,
): Decision => record({ stream, expectedVersion: version, events: [{ type: "InteractionExpired", data: fact }] });
