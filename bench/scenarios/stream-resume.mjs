/**
 * A client comes in the middle of a long answer: from connecting until it has all that was streamed. The answer is
 * held at its last chunk, so each of several clients meets the same.
 */
import { isDelta, isReplayComplete, isResuming, isTerminal } from "../lib/chat-client.mjs";
import { rested } from "../lib/waiting.mjs";

const CLIENTS = 5;

export const streamResume = {
  title: "resume of a long answer that is live",
  passes: 3,
  rows: { resumeMs: "connecting to replayComplete, ms", requestMs: "request to replayComplete, ms" },
  async run({ object, sizes, median }) {
    const { chunks } = sizes;
    const agent = object("plain");
    await agent.call("open");
    const first = await agent.connect();
    await agent.call("benchLong", { count: chunks, gated: true });
    const streamed = first.until(isDelta, chunks);
    const ended = first.until(isTerminal);
    first.ask();
    await streamed;
    const [whole, fromRequest] = [[], []];
    for (let i = 0; i <= CLIENTS; i++) {
      await rested(agent, 100);
      const startedAt = performance.now();
      const client = await agent.connect();
      const offered = client.until(isResuming);
      const replayed = Promise.all([client.until(isReplayComplete), client.until(isDelta, chunks)]);
      const requestedAt = performance.now();
      client.requestResume();
      client.acknowledge(JSON.parse((await offered).frame).id);
      const [{ at }] = await replayed;
      client.close();
      if (i === 0) continue;
      whole.push(at - startedAt);
      fromRequest.push(at - requestedAt);
    }
    await agent.call("benchLetEnd");
    await ended;
    first.close();
    return { resumeMs: median(whole), requestMs: median(fromRequest) };
  },
};
