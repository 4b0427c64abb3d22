/** What one whole submission costs when nothing else is going on: from the call to the last write. */
import { countsOf, settledCounts, untilTicks } from "../lib/waiting.mjs";

const WARM_UP_TURNS = 3;

export const loneTurn = {
  title: "whole submission turn alone",
  rows: {
    rowsWritten: "rows written",
    billed: "billed (rows, key-values, alarms set)",
    statements: "SQL statements",
    rowsRead: "rows read",
    alarmsSet: "alarms set",
    alarmsDeleted: "alarms deleted",
    kvWrites: "key-values written",
  },
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
