/** What one whole `saveMessages` costs when nothing else is going on: from the call to the last write. */
import { countsOf, settledCounts } from "../lib/waiting.mjs";

const WARM_UP_TURNS = 3;

export const loneBlockingTurn = {
  title: "whole saveMessages turn alone",
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
    for (let turn = 0; turn < WARM_UP_TURNS; turn++) {
      await agent.call("benchTurn");
      await settledCounts(agent);
    }
    return countsOf(agent, "benchTurn");
  },
};
