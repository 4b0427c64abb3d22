/** What one `step.prompt()` alone costs in the agent: from the submission to the delivery, with everything that follows. */
import { COUNT_ROWS } from "../lib/count-rows.mjs";
import { settledCounts } from "../lib/waiting.mjs";

export const promptCost = {
  title: "one step.prompt alone, in the agent",
  rows: COUNT_ROWS,
  async run({ object, sizes }) {
    const agent = object("metered");
    await agent.call("open");
    await agent.call("benchWorkflow", { kind: "prompts", count: sizes.warmUp });
    await settledCounts(agent);
    // An instance without a prompt and one with it: what the workflow itself writes into the agent cancels out.
    const counts = [];
    for (const count of [0, 1]) {
      await agent.call("benchMeterReset");
      await agent.call("benchWorkflow", { kind: "prompts", count });
      counts.push(await settledCounts(agent));
    }
    const [none, one] = counts;
    return Object.fromEntries(Object.keys(one).map((key) => [key, one[key] - none[key]]));
  },
};
