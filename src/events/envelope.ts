/**
 * What every event carries besides its own facts. The log fills in position, version and hash at
 * append; everything else comes in with the command, so that a replay gives the same bytes.
 */

/** Who asked, when, and because of what: comes in with the command, never from a clock or a random source inside. */
export type EventContext = {
  /** Epoch milliseconds at the command. Order comes from positions: equal or earlier times are normal. */
  readonly at: number;
  /** Who caused it: `rpc`, `engine`, `connection:<id>`, `workflow:<id>` … */
  readonly actor: string;
  /** Ties together all that one request set in motion; the turn's id unless the caller has a wider one. */
  readonly correlationId: string;
  /** The command, or `event:<position>`, that this follows from. */
  readonly causationId: string;
};

/** An event that a decider proposes: facts only. */
export type ProposedEvent<Type extends string = string, Data = unknown> = {
  readonly type: Type;
  readonly data: Data;
};

/** An event as the log keeps it. */
export type StoredEvent<Type extends string = string, Data = unknown> = ProposedEvent<Type, Data> &
  EventContext & {
    /** Gap-free, from 1: the only order there is. */
    readonly position: number;
    /** `turn/<id>` of a turn, `workflow/<id>` of a workflow, `schedule/<id>` of a scheduled task, {@link LANE_STREAM} or {@link PROJECTION_STREAM}. */
    readonly stream: string;
    /** Place within the stream, from 1. */
    readonly version: number;
    /** Position of the event that opened the stream's present life: for a turn, its place in the lane. */
    readonly ordinal: number;
    readonly schemaVersion: number;
  };

/** The stream of what concerns the lane as a whole. A turn's stream never equals it: see `turnStream`. */
export const LANE_STREAM = "lane";

/** What concerns the conversation and no turn of this log. */
export const CONVERSATION_STREAM = "conversation";

/** The stream of what was done to the read models. */
export const PROJECTION_STREAM = "projections";

/** The stream of a turn. The prefix keeps a caller's own id from ever naming another kind of stream. */
export const turnStream = (turnId: string): string => `turn/${turnId}`;

/** The stream of a workflow that the agent started. */
export const workflowStream = (workflowId: string): string => `workflow/${workflowId}`;

/** The stream of a task that the agent does by the clock. */
export const scheduleStream = (taskId: string): string => `schedule/${taskId}`;

/** What a stream is about: the turn's id, without the prefix. */
export const subjectOf = (stream: string): string => (stream.startsWith("turn/") ? stream.slice(5) : stream);
