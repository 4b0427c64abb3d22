import { type Reply, type Script, text, textAround } from "../../src/testing/index.ts";

/** One reply for each model call of an agent, over all of its lives; the last one for all that follow. */
export const replies =
  (...each: readonly [Reply, ...Reply[]]): Script =>
  ({ index }) =>
    each[Math.min(index, each.length - 1)] as Reply;

/** A first answer that waits in its middle until it is opened; later calls answer at once. */
export function heldReply(before = "before ", after = "after"): { script: Script; open: () => void } {
  const gate = Promise.withResolvers<void>();
  return { script: replies(textAround(before, gate.promise, after), text("Hello")), open: gate.resolve };
}
