/**
 * What one turn reads while a long queue drains, in quarters of the drain: a cost that depends on the queue
 * or on what is kept shows as a slope. A turn's share is what lies between its model call and the next one's.
 */
import { mean } from "../lib/stats.mjs";
import { queueUp, untilTicks } from "../lib/waiting.mjs";

export const drainCost = {
  title: "one turn while a queue drains",
  rows: {
    rowsRead: "rows read, mean",
    quarter1: "rows read, first quarter",
    quarter2: "rows read, second quarter",
    quarter3: "rows read, third quarter",
    quarter4: "rows read, last quarter",
    steepness: "dearest quarter ÷ cheapest",
    rowsWritten: "rows written, mean",
    billed: "billed, mean",
    statements: "SQL statements, mean",
  },
  async run({ object, sizes }) {
    const agent = object("metered");
    await queueUp(agent, sizes.queue);
    await agent.call("benchRelease");
    await untilTicks(agent, sizes.queue + 1);
    const totals = (await agent.call("benchTicks")).slice(1).map((tick) => tick.counts);
    const each = (key) => totals.slice(1).map((counts, i) => counts[key] - totals[i][key]);
    const read = each("rowsRead");
    const quarters = [0, 1, 2, 3].map((q) => mean(read.slice((q * read.length) / 4, ((q + 1) * read.length) / 4)));
    return {
      rowsRead: mean(read),
      quarter1: quarters[0],
      quarter2: quarters[1],
      quarter3: quarters[2],
      quarter4: quarters[3],
      steepness: Math.max(...quarters) / Math.min(...quarters),
      rowsWritten: mean(each("rowsWritten")),
      billed: mean(each("billed")),
      statements: mean(each("statements")),
    };
  },
};
