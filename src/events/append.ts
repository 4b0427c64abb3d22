import type { ThinkEvent } from "./catalogue.ts";
import type { EventContext } from "./envelope.ts";

/** The version a stream must still have: a number, `none` for a stream that must not exist, `any` to ask nothing. */
export type ExpectedVersion = number | "none" | "any";

/** Events for one stream, to be written together or not at all. */
export type Append = {
  readonly stream: string;
  readonly expectedVersion: ExpectedVersion;
  readonly events: readonly ThinkEvent[];
  /** Who caused these events, when it is not who caused the rest of the commit. */
  readonly cause?: Pick<EventContext, "actor" | "causationId">;
};
