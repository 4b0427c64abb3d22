import type { EventContext } from "../events/index.ts";

/** Who asked, and because of what. */
export type Cause = Pick<EventContext, "actor" | "causationId"> & { readonly correlationId?: string };

/** The actor of what the engine does by itself. */
export const ENGINE = "engine";
