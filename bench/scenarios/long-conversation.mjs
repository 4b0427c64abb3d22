/**
 * How long a blocking turn takes until the model is asked, in a short conversation and in a long one. Both are
 * filled anew for each turn and asked one after the other, so that they keep their lengths and share the noise.
 * What HTTP takes is measured by an empty call and taken off. `restart` is the first turn of an object that has
 * to read its conversation from storage, construction included. The plain storage.
 */
import { rested } from "../lib/waiting.mjs";

const SHORT = 10;
const LONG = 200;

export const longConversation = {
  title: "from saveMessages to the first model call",
  rows: {
    shortMs: `${SHORT} messages, ms`,
    longMs: `${LONG} messages, ms`,
    growth: `${LONG} messages ÷ ${SHORT}`,
    shortRestartMs: `${SHORT} messages after a restart, ms`,
    longRestartMs: `${LONG} messages after a restart, ms`,
    restartGrowth: `${LONG} messages ÷ ${SHORT} after a restart`,
  },
  async run({ object, sizes, median }) {
    const agents = { [SHORT]: object("plain"), [LONG]: object("plain") };
    const times = { empty: [], [SHORT]: [], [LONG]: [] };
    for (let i = 0; i < sizes.warmUp + sizes.firstCalls; i++) {
      for (const [count, agent] of Object.entries(agents)) {
        if (i === 0) await agent.call("open");
        await agent.call("benchFill", { count: Number(count) });
        await rested(agent);
        const empty = await agent.time("benchNoop");
        const ms = await agent.time("benchBegin");
        await agent.call("benchFinish");
        if (i < sizes.warmUp) continue;
        times.empty.push(empty);
        times[count].push(ms);
      }
    }
    const empty = median(times.empty);
    const shortMs = median(times[SHORT]) - empty;
    const longMs = median(times[LONG]) - empty;

    const restarts = { [SHORT]: [], [LONG]: [] };
    for (let i = 0; i < sizes.restarts; i++) {
      for (const [count, agent] of Object.entries(agents)) {
        await agent.call("benchFill", { count: Number(count) });
        await agent.call("benchRetire").catch(() => undefined);
        restarts[count].push((await agent.time("benchBegin")) - empty);
        await agent.call("benchFinish");
      }
    }
    const shortRestartMs = median(restarts[SHORT]);
    const longRestartMs = median(restarts[LONG]);
    return {
      shortMs,
      longMs,
      growth: longMs / shortMs,
      shortRestartMs,
      longRestartMs,
      restartGrowth: longRestartMs / shortRestartMs,
    };
  },
};
