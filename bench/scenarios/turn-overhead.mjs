/**
 * What a turn takes beyond the AI SDK: blocking turns and bare `streamText` calls in turn on one object with
 * the same model, each its own request, so that HTTP cancels out. The plain storage.
 */
export const turnOverhead = {
  title: "a turn over bare streamText",
  rows: {
    overBareMs: "saveMessages, ms",
    submissionOverBareMs: "submission until settled, ms",
    bareMs: "bare streamText itself with HTTP, ms",
  },
  async run({ object, sizes, median }) {
    const agent = object("plain");
    await agent.call("open");
    const bare = [];
    const turn = [];
    const submission = [];
    for (let i = 0; i < sizes.turns + sizes.warmUp; i++) {
      const sample = [
        await agent.time("benchBare"),
        await agent.time("benchTurn"),
        await agent.time("benchSubmission"),
      ];
      if (i < sizes.warmUp) continue;
      bare.push(sample[0]);
      turn.push(sample[1]);
      submission.push(sample[2]);
    }
    return {
      overBareMs: median(turn) - median(bare),
      submissionOverBareMs: median(submission) - median(bare),
      bareMs: median(bare),
    };
  },
};
