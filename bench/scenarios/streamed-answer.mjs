/** A long answer, from the request until every client that is connected has its end. */
import { isDelta, isTerminal } from "../lib/chat-client.mjs";
import { rested } from "../lib/waiting.mjs";

export const streamedAnswer = {
  title: "a long answer to connected clients",
  passes: 3,
  rows: {
    oneMs: "one client, ms",
    oneRate: "one client, chunks a second",
    manyMs: "all clients, ms",
    manyRate: "all clients, chunks a second",
  },
  async run({ object, sizes, median }) {
    const { chunks, clients, answers } = sizes;
    const agent = object("plain");
    await agent.call("open");
    const connected = [await agent.connect()];
    const oneMs = await series();
    while (connected.length < clients) connected.push(await agent.connect());
    const manyMs = await series();
    for (const client of connected) client.close();
    return { oneMs, oneRate: (chunks / oneMs) * 1000, manyMs, manyRate: (chunks / manyMs) * 1000 };

    /** The first one warms up. */
    async function series() {
      const times = [];
      for (let i = 0; i <= answers; i++) {
        await agent.call("benchFill", { count: 0 });
        await agent.call("benchLong", { count: chunks });
        await rested(agent, 200);
        const came = connected.flatMap((client) => [client.until(isTerminal), client.until(isDelta, chunks)]);
        const sentAt = connected[0].ask();
        const ends = await Promise.all(came);
        if (i > 0) times.push(Math.max(...ends.map(({ at }) => at)) - sentAt);
      }
      return median(times);
    }
  },
};
