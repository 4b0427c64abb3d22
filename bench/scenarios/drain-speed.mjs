/**
 * How fast a queue drains, and whether the object still answers meanwhile: empty calls go to it
 * from outside, and the turns that began between such a call and its answer are counted. They are few, so that
 * an object which answers them is not slowed down by it. The plain storage.
 */
import { follow, queueUp } from "../lib/waiting.mjs";

const PROBE_EVERY_MS = 100;

export const drainSpeed = {
  title: "drain of a queue",
  rows: {
    turnsPerSecond: "turns per second",
    turnsUntilAnswered: "turns before another request is answered, most",
    turnsUntilAnsweredTypical: "turns before another request is answered, median",
  },
  async run({ object, sizes, median }) {
    const agent = object("plain");
    await queueUp(agent, sizes.queue);
    const probes = [];
    await agent.call("benchRelease");
    await follow(agent, sizes.queue + 1, (probe) => probes.push(probe), PROBE_EVERY_MS);
    // The first tick is the held turn's; the drain lasts from the second to the last.
    const at = (await agent.call("benchTicks")).map((tick) => tick.at);
    const waited = probes.map(({ sentAt, ticks }) => at.slice(0, ticks).filter((time) => time > sentAt).length);
    return {
      turnsPerSecond: (sizes.queue - 1) / ((at[sizes.queue] - at[1]) / 1000),
      turnsUntilAnswered: Math.max(...waited),
      turnsUntilAnsweredTypical: median(waited),
    };
  },
};
