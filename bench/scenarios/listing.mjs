/**
 * What the first page of submissions costs when many are kept. They are made once for a run and variant:
 * submitted behind a held turn and cancelled, which leaves the same kept records as turns would.
 */
import { countsOf, queueUp, settledCounts } from "../lib/waiting.mjs";

const PAGE = { limit: 50 };
const CHUNK = 500;

export const listing = {
  title: "listSubmissions({ limit: 50 })",
  rows: { rowsRead: "rows read", statements: "SQL statements" },
  async run({ prepared, sizes }) {
    const agent = await prepared("metered", async (object) => {
      await queueUp(object, 0);
      for (let made = 0; made < sizes.kept; made += CHUNK) {
        await object.call("benchKeep", { count: Math.min(CHUNK, sizes.kept - made) });
        await object.call("benchMeterReset");
      }
      const listed = await object.call("benchList", PAGE);
      if (listed !== PAGE.limit) throw new Error(`The list holds ${listed}.`);
    });
    await settledCounts(agent);
    return countsOf(agent, "benchList", PAGE);
  },
};
