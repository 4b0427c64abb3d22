import type { EventData } from "../events/index.ts";
import type { Decision } from "./decision.ts";
import { byClaimHolder, type LostClaim } from "./running.ts";
import type { TurnState } from "./turn-state.ts";

/** A tool is about to run. */
export const startToolCall = (data: EventData<"ToolCallStarted">, state: TurnState): Decision<LostClaim> =>
  byClaimHolder(state, data.epoch, () => [{ type: "ToolCallStarted", data }]);

/** A model step is over and another follows. */
export const finishStep = (data: EventData<"StepFinished">, state: TurnState): Decision<LostClaim> =>
  byClaimHolder(state, data.epoch, () => [{ type: "StepFinished", data }]);
