/** What a further submission costs when many wait already. */
import { countsOf, queueUp, settledCounts } from "../lib/waiting.mjs";

export const submitBehindQueue = {
  title: "submit behind a queue",
  rows: { rowsRead: "rows read", rowsWritten: "rows written", billed: "billed", statements: "SQL statements" },
  async run({ object, sizes }) {
    const agent = object("metered");
    await queueUp(agent, sizes.queue);
    await settledCounts(agent);
    return countsOf(agent, "benchSubmit");
  },
};
