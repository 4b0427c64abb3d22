/**
 * From sending a request to the first frame of its response: many short answers in sequence, each in an empty
 * conversation, so that the two sides answer the same whatever they make of what a client sends again.
 */
import { isResponse, isTerminal } from "../lib/chat-client.mjs";
import { rested } from "../lib/waiting.mjs";

export const timeToFirstFrame = {
  title: "a short answer over a WebSocket",
  passes: 3,
  rows: { firstFrameMs: "to the first frame, ms", wholeMs: "to the terminal frame, ms" },
  async run({ object, sizes, median }) {
    const agent = object("plain");
    await agent.call("open");
    const client = await agent.connect();
    const [first, whole] = [[], []];
    for (let i = 0; i < sizes.warmUp + sizes.turns; i++) {
      await agent.call("benchFill", { count: 0 });
      await rested(agent);
      const came = Promise.all([client.until(isResponse), client.until(isTerminal)]);
      const sentAt = client.ask();
      const [begin, end] = await came;
      if (i < sizes.warmUp) continue;
      first.push(begin.at - sentAt);
      whole.push(end.at - sentAt);
    }
    client.close();
    return { firstFrameMs: median(first), wholeMs: median(whole) };
  },
};
