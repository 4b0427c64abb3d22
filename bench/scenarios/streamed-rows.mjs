/** What answers over a WebSocket cost in storage: a long one for every 1,000 chunks, and a short one whole. */
import { isTerminal } from "../lib/chat-client.mjs";
import { settledCounts } from "../lib/waiting.mjs";

export const streamedRows = {
  title: "rows of an answer over a WebSocket",
  rows: {
    rowsWritten: "long, per 1,000 chunks: rows written",
    billed: "long, per 1,000 chunks: billed",
    statements: "long, per 1,000 chunks: SQL statements",
    rowsRead: "long, per 1,000 chunks: rows read",
    shortWritten: "short, whole: rows written",
    shortBilled: "short, whole: billed",
    shortStatements: "short, whole: SQL statements",
    shortRead: "short, whole: rows read",
  },
  async run({ object, sizes }) {
    const agent = object("metered");
    await agent.call("open");
    const client = await agent.connect();
    for (let i = 0; i < 2; i++) await counted();
    const short = await counted();
    await counted(sizes.chunks);
    const long = await counted(sizes.chunks);
    client.close();
    const perThousand = (count) => (count / sizes.chunks) * 1000;
    return {
      rowsWritten: perThousand(long.rowsWritten),
      billed: perThousand(long.billed),
      statements: perThousand(long.statements),
      rowsRead: perThousand(long.rowsRead),
      shortWritten: short.rowsWritten,
      shortBilled: short.billed,
      shortStatements: short.statements,
      shortRead: short.rowsRead,
    };

    async function counted(chunks) {
      if (chunks) await agent.call("benchLong", { count: chunks });
      await settledCounts(agent);
      await agent.call("benchMeterReset");
      const ended = client.until(isTerminal);
      client.ask();
      await ended;
      return settledCounts(agent);
    }
  },
};
