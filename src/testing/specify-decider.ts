import { deepStrictEqual } from "node:assert";
import type { Decision } from "../commands/index.ts";
import { encode, type ThinkEvent } from "../events/index.ts";
import { MemoryLog } from "./memory-log.ts";

/** An event of a story: on the specification's stream and at time 0, unless it says otherwise. */
export type Told = ThinkEvent & { readonly stream?: string; readonly at?: number };

/** A decider, and where it finds its state in a log. */
export type DeciderSpecification<Command, State, Refusal extends string> = {
  readonly decide: (command: Command, state: State) => Decision<Refusal>;
  readonly state: (log: MemoryLog) => State;
  /** The stream that events of the story are on. */
  readonly stream: string;
};

type When<Refusal extends string> = {
  /** Exactly these events, in this order, on these streams; none when the log says it already. Or the refusal. */
  readonly then: (expected: readonly Told[] | Refusal) => void;
};

/**
 * Given what happened, when this is asked, then that is recorded (or refused). Recorded events go through
 * the codec and are appended for real, so that a wrong expected version or bad facts fail as well.
 *
 * @example
 * import { specifyDecider } from "thinklog/testing";
 * const { given } = specifyDecider({
 *   stream: "lane",
 *   state: (log) => log.stream("lane")?.version ?? 0,
 *   decide: (reason: string, version: number) =>
 *     version > 0
 *       ? { kind: "refuse", reason: "reset-before" }
 *       : {
 *           kind: "record",
 *           appends: [{ stream: "lane", expectedVersion: version, events: [{ type: "LaneReset", data: { generation: 1, reason } }] }],
 *         },
 * });
 * const reset = { type: "LaneReset", data: { generation: 1, reason: "test" } } as const;
 * given().when("test").then([reset]);
 * given(reset).when("again").then("reset-before");
 */
export function specifyDecider<Command, State, Refusal extends string>({
  decide,
  state,
  stream,
}: DeciderSpecification<Command, State, Refusal>) {
  const given = (...story: Told[]): { readonly when: (command: Command) => When<Refusal> } => ({
    when: (command) => {
      const log = tell(story, stream);
      const decision = decide(command, state(log));
      return {
        // oxlint-disable-next-line unicorn/no-thenable -- The word of the trade; nobody awaits a specification.
        then: (expected) => {
          if (decision.kind === "refuse") return deepStrictEqual(decision.reason, expected);
          const events =
            typeof expected === "string" ? expected : expected.map((told) => shown(told.stream ?? stream, told));
          deepStrictEqual(decision.appends.flatMap(showAppend), events);
          log.append(decision.appends);
        },
      };
    },
  });
  return { given };
}

/** A log in which the story happened. */
export function tell(story: readonly Told[], stream: string): MemoryLog {
  const log = new MemoryLog();
  for (const { stream: named = stream, at = 0, ...event } of story) {
    log.append([{ stream: named, expectedVersion: "any", events: [event] }], {
      at,
      actor: "test",
      causationId: "test",
    });
  }
  return log;
}

const showAppend = (append: { readonly stream: string; readonly events: readonly ThinkEvent[] }) =>
  append.events.map((event) => shown(append.stream, event));

/** As it would be stored: what the schema drops is not compared. */
const shown = (stream: string, event: ThinkEvent) => ({
  stream,
  type: event.type,
  data: JSON.parse(encode(event).data) as unknown,
});
