/**
 * One blocking turn of many model steps with a tool call each: does a step cost more the later it comes? Rows are
 * counted between one model call and the next on the metered storage, times on the plain one. The AI SDK itself
 * sends all that was said again with each step, so its own times grow; the same steps from bare `streamText` show
 * by how much, and what the turn adds to them is what should not grow.
 */
const SIZES = [50, 200, 1000];

export const toolSteps = {
  title: "a turn of many tool steps",
  rows: {
    ...rowsFor((steps) => [`rows${steps}`, `${steps} steps: rows written a step`]),
    ...rowsFor((steps) => [`billed${steps}`, `${steps} steps: billed a step`]),
    ...rowsFor((steps) => [`rowsGrowth${steps}`, `${steps} steps: billed, last quarter ÷ first`]),
    ...rowsFor((steps) => [`read${steps}`, `${steps} steps: rows read a step`]),
    ...rowsFor((steps) => [`ms${steps}`, `${steps} steps: ms a step`]),
    ...rowsFor((steps) => [`bareMs${steps}`, `${steps} steps: ms a step of bare streamText`]),
    ...rowsFor((steps) => [`growth${steps}`, `${steps} steps: time, last quarter ÷ first`]),
    ...rowsFor((steps) => [`bareGrowth${steps}`, `${steps} steps: the same of bare streamText`]),
    overBareGrowth: `added to a step: ${SIZES.at(-1)} steps ÷ ${SIZES[0]}`,
  },
  async run({ object }) {
    const result = {};
    for (const steps of SIZES) {
      const counted = (await ticksOf(object("metered"), "benchToolTurn", steps)).map(({ counts }) => counts);
      result[`rows${steps}`] = perStep(counted.map(({ rowsWritten }) => rowsWritten));
      result[`billed${steps}`] = perStep(counted.map(({ billed }) => billed));
      result[`read${steps}`] = perStep(counted.map(({ rowsRead }) => rowsRead));
      result[`rowsGrowth${steps}`] = growth(counted.map(({ billed }) => billed));

      const agent = object("plain");
      const bare = (await ticksOf(agent, "benchBareTools", steps)).map(({ at }) => at);
      const timed = (await ticksOf(agent, "benchToolTurn", steps)).map(({ at }) => at);
      result[`ms${steps}`] = perStep(timed);
      result[`bareMs${steps}`] = perStep(bare);
      result[`growth${steps}`] = growth(timed);
      result[`bareGrowth${steps}`] = growth(bare);
    }
    const added = SIZES.map((steps) => result[`ms${steps}`] - result[`bareMs${steps}`]);
    result.overBareGrowth = added.at(-1) / added[0];
    return result;
  },
};

function rowsFor(row) {
  return Object.fromEntries(SIZES.map(row));
}

/** What the model's calls of the last turn saw, after a turn that warms up. */
async function ticksOf(agent, method, steps) {
  await agent.call("open");
  await agent.call(method, { steps: 10 });
  await agent.call(method, { steps });
  return (await agent.call("benchTicks")).slice(-(steps + 1));
}

/** The mean difference of running totals. */
function perStep(totals) {
  return (totals.at(-1) - totals[0]) / (totals.length - 1);
}

/** What the last quarter adds to running totals ÷ what the first quarter adds. */
function growth(totals) {
  const quarter = Math.floor((totals.length - 1) / 4);
  const first = totals[quarter] - totals[0];
  return first === 0 ? undefined : (totals.at(-1) - totals.at(-1 - quarter)) / first;
}
