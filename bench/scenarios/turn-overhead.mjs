/**
 * What a turn takes beyond the AI SDK: blocking turns, submissions and bare `streamText` calls in turn on one
 * object with the same model, each its own request, so that HTTP cancels out. What a turn leaves to do must
 * not fall into the time of the next call: see `rested`. The plain storage.
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
    const agent = object("plain");
    await agent.call("open");
    const times = { benchBare: [], benchTurn: [], benchSubmission: [] };
    for (let i = 0; i < sizes.warmUp + sizes.turns; i++) {
      for (const method of Object.keys(times)) {
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
