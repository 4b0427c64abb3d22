/** What an object costs that did nothing yet: its construction and a first empty call. */
import { settledCounts } from "../lib/waiting.mjs";

export const newObject = {
  title: "start of a new object",
  rows: { rowsWritten: "rows written", billed: "billed", statements: "SQL statements", rowsRead: "rows read" },
  async run({ object }) {
    const agent = object("metered");
    await agent.call("open");
    await agent.call("benchNoop");
    return settledCounts(agent);
  },
};
