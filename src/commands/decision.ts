import type { Append } from "../events/index.ts";

/**
 * What a decider answers: events to record (possibly none, when the log already says it), or a refusal
 * with its reason. A refusal writes nothing.
 */
export type Decision<Refusal extends string = never> =
  | { readonly kind: "record"; readonly appends: readonly Append[] }
  | { readonly kind: "refuse"; readonly reason: Refusal };

export const record = (...appends: Append[]): { kind: "record"; appends: Append[] } => ({ kind: "record", appends });

/** The log already says it: nothing to write. */
export const nothing = record();

export const refuse = <R extends string>(reason: R): { kind: "refuse"; reason: R } => ({ kind: "refuse", reason });
