/**
 * How long a caller waits for its receipt, over an empty call to the same object: an empty call and a
 * submission in turn, each its own request. Behind a held turn nothing else runs meanwhile and the queue
 * grows to the number of samples; at rest the turn that was just submitted competes with its own receipt.
 * The plain storage.
 */
import { queueUp } from "../lib/waiting.mjs";

export const acknowledgement = {
  title: "acknowledgement over an empty call",
  rows: {
    overEmptyMs: "behind a held turn, ms",
    restOverEmptyMs: "lane at rest, ms",
    emptyMs: "the empty call itself with HTTP, ms",
  },
  async run({ object, sizes, median }) {
    const resting = object("plain");
    await resting.call("open");
    const rest = { empty: [], submit: [] };
    for (let i = 0; i < sizes.acknowledgements; i++) {
      rest.empty.push(await resting.time("benchNoop"));
      const started = performance.now();
      const { submissionId } = await resting.call("benchSubmit");
      rest.submit.push(performance.now() - started);
      await resting.call("benchWait", { submissionId });
      await resting.call("benchNoop");
    }

    const held = object("plain");
    await queueUp(held, 0);
    const queued = { empty: [], submit: [] };
    for (let i = 0; i < sizes.acknowledgements; i++) {
      queued.empty.push(await held.time("benchNoop"));
      queued.submit.push(await held.time("benchSubmit"));
    }

    return {
      overEmptyMs: median(queued.submit) - median(queued.empty),
      restOverEmptyMs: median(rest.submit) - median(rest.empty),
      emptyMs: median(rest.empty),
    };
  },
};
