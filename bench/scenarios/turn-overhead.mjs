/**
 * What a turn takes beyond the AI SDK: blocking turns, submissions and bare `streamText` calls in turn with the
 * same model, each its own request, so that HTTP cancels out. Each kind has an object of its own, so that a series
 * of one kind is measured and not what another kind leaves behind (an alarm that is set for it, a longer
 * conversation). What a call leaves to do must not fall into the time of the next: see `rested`. The plain storage.
 */
import { rested } from "../lib/waiting.mjs";

export const turnOverhead = {
  title: "a turn over bare streamText",
  passes: 3,
  rows: {
    overBareMs: "saveMessages, ms",
    submissionOverBareMs: "submission until settled, ms",
    bareMs: "bare streamText itself with HTTP, ms",
  },
  async run({ object, sizes, median }) {
    const times = { benchBare: [], benchTurn: [], benchSubmission: [] };
    const agents = Object.keys(times).map((method) => [method, object("plain")]);
    for (const [, agent] of agents) await agent.call("open");
    for (let i = 0; i < sizes.warmUp + sizes.turns; i++) {
      for (const [method, agent] of agents) {
        await rested(agent);
        const ms = await agent.time(method);
        if (i >= sizes.warmUp) times[method].push(ms);
      }
    }
    const bareMs = median(times.benchBare);
    return {
      overBareMs: median(times.benchTurn) - bareMs,
      submissionOverBareMs: median(times.benchSubmission) - bareMs,
      bareMs,
    };
  },
};
