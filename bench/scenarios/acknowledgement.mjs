/**
 * How long a caller waits for its receipt, over an empty call to the same object: an empty call and a
 * submission in turn, each its own request. Behind a held turn nothing else runs meanwhile and the queue
 * grows to the number of samples; at rest the turn that was just submitted competes with its own receipt.
 * What one call leaves to do must not fall into the time of the next: see `rested`. The plain storage.
 */
import { queueUp, rested } from "../lib/waiting.mjs";

export const acknowledgement = {
  title: "acknowledgement over an empty call",
  passes: 3,
  rows: {
    overEmptyMs: "behind a held turn, ms",
    restOverEmptyMs: "lane at rest, ms",
    emptyMs: "the empty call itself with HTTP, ms",
  },
  async run({ object, sizes, median }) {
    const held = object("plain");
    await queueUp(held, 0);
    const behind = { empty: [], submit: [] };
    for (let i = 0; i < sizes.acknowledgements; i++) {
      await rested(held, 0);
      behind.empty.push(await held.time("benchNoop"));
      behind.submit.push(await held.time("benchSubmit"));
    }

    const resting = object("plain");
    await resting.call("open");
    const alone = { empty: [], submit: [] };
    for (let i = 0; i < sizes.turns; i++) {
      await rested(resting);
      alone.empty.push(await resting.time("benchNoop"));
      const started = performance.now();
      const { submissionId } = await resting.call("benchSubmit");
      alone.submit.push(performance.now() - started);
      await resting.call("benchWait", { submissionId });
    }

    return {
      overEmptyMs: median(behind.submit) - median(behind.empty),
      restOverEmptyMs: median(alone.submit) - median(alone.empty),
      emptyMs: median(behind.empty),
    };
  },
};
