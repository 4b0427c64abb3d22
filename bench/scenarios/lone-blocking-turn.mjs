/** What one whole `saveMessages` costs when nothing else is going on: from the call to the last write. */
import { COUNT_ROWS } from "../lib/count-rows.mjs";
import { countsOf, settledCounts } from "../lib/waiting.mjs";

const WARM_UP_TURNS = 3;

export const loneBlockingTurn = {
  title: "whole saveMessages turn alone",
  rows: COUNT_ROWS,
  async run({ object }) {
    const agent = object("metered");
    await agent.call("open");
    for (let turn = 0; turn < WARM_UP_TURNS; turn++) {
      await agent.call("benchTurn");
      await settledCounts(agent);
    }
    return countsOf(agent, "benchTurn");
  },
};
