/** What one `step.prompt()` costs in the agent: from the submission to the delivery, with everything that follows. */
import { COUNT_ROWS } from "../lib/count-rows.mjs";
import { settledCounts } from "../lib/waiting.mjs";

export const promptCost = {
  title: "one step.prompt, in the agent",
  rows: COUNT_ROWS,
  async run({ object, sizes }) {
    const agent = object("metered");
    await agent.call("open");
    await agent.call("benchWorkflow", { kind: "prompts", count: sizes.warmUp });
    await settledCounts(agent);
    // The same instance twice, with one prompt more: what the workflow itself writes into the agent cancels out.
    const counts = [];
    for (const count of [1, 1 + sizes.prompts]) {
      await agent.call("benchMeterReset");
      await agent.call("benchWorkflow", { kind: "prompts", count });
      counts.push(await settledCounts(agent));
    }
    const [one, more] = counts;
    return Object.fromEntries(Object.keys(one).map((key) => [key, (more[key] - one[key]) / sizes.prompts]));
  },
};
