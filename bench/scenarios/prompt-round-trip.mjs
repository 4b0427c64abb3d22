/**
 * A `step.prompt()` from the workflow's side: prompts one after the other in one instance, with an instant model. The
 * clock inside has whole milliseconds, so a series is timed. Beside it, what the engine takes for a step and an event.
 */
export const promptRoundTrip = {
  title: "round trip of step.prompt",
  passes: 3,
  rows: {
    promptMs: "step.prompt, ms",
    bareMs: "a bare step and an event, ms",
  },
  async run({ object, sizes }) {
    const agent = object("plain");
    await agent.call("open");
    await agent.call("benchWorkflow", { kind: "prompts", count: sizes.warmUp });
    const bareMs = await agent.call("benchWorkflow", { kind: "events", count: sizes.prompts });
    const promptMs = await agent.call("benchWorkflow", { kind: "prompts", count: sizes.prompts });
    return { promptMs, bareMs };
  },
};
