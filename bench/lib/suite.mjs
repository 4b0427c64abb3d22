/** Runs scenarios in rounds, the variants in alternating order, and gathers one list of numbers for each row. */
import { objectOf } from "./client.mjs";
import { median } from "./stats.mjs";

/**
 * Answers `{ "<scenario>.<row>": { <variant>: [a number each time, or undefined when it failed] } }`. A scenario is
 * run `passes` times a round, once when it names none: short slices in turn even out what else the machine does.
 * It gets `bench`:
 * - `object(kind)`: a new object of this variant, on "metered" or "plain" storage, retired afterwards;
 * - `prepared(kind, make)`: one that is made once and stays for the later rounds;
 * - `sizes`, `median`.
 */
export async function runSuite({ scenarios, urls, rounds, sizes, progress }) {
  const samples = {};
  const kept = new Map();
  for (let round = 0; round < rounds; round++) {
    for (const [number, scenario] of scenarios) {
      const { title, rows, passes = 1 } = scenario;
      for (let time = round * passes; time < (round + 1) * passes; time++) {
        const order = Object.keys(urls);
        if (time % 2) order.reverse();
        for (const variant of order) {
          progress(`round ${round + 1}/${rounds}  ${number} ${title}  ${variant}`);
          const run = runOnce({ number, scenario, variant, url: urls[variant], time, sizes, kept });
          const values = await run.catch((error) => {
            progress(`FAILED  ${error.message}`);
            return {};
          });
          for (const row of Object.keys(rows)) {
            ((samples[`${number}.${row}`] ??= {})[variant] ??= []).push(values[row]);
          }
        }
      }
    }
  }
  return samples;
}

async function runOnce({ number, scenario, variant, url, time, sizes, kept }) {
  const opened = [];
  const object = (kind) => {
    const made = objectOf(url, `${kind}-${number}-${time}-${opened.length}`);
    opened.push(made);
    return made;
  };
  const prepared = async (kind, make) => {
    const key = `${variant}-${number}-${kind}`;
    if (!kept.has(key)) {
      const made = objectOf(url, `${kind}-${number}-kept`);
      await make(made);
      kept.set(key, made);
    }
    return kept.get(key);
  };
  try {
    return await scenario.run({ object, prepared, sizes, median });
  } finally {
    // The call that ends an object is answered with an error, as it should be.
    await Promise.allSettled(opened.map((made) => made.call("benchRetire")));
  }
}
