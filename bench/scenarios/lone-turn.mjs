/** What one whole submission costs when nothing else is going on: from the call to the last write. */
import { COUNT_ROWS } from "../lib/count-rows.mjs";
import { countsOf, settledCounts, untilTicks } from "../lib/waiting.mjs";

const WARM_UP_TURNS = 3;

export const loneTurn = {
  title: "whole submission turn alone",
  rows: COUNT_ROWS,
  async run({ object }) {
    const agent = object("metered");
    await agent.call("open");
    for (let turn = 1; turn <= WARM_UP_TURNS; turn++) {
      await agent.call("benchSubmit");
      await untilTicks(agent, turn);
      await settledCounts(agent);
    }
    return countsOf(agent, "benchSubmit");
  },
};
