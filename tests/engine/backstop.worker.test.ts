import { expect, test } from "vitest";
import { alarmOf, freshAgent, inside } from "../support/agents.ts";
import { userMessage } from "../support/test-agent.ts";

test("a series of blocking turns sets one alarm for the case that the object stops, and leaves it where it is", async () => {
  const { agent } = await freshAgent();
  const alarms: (number | null)[] = [];
  for (const text of ["One", "Two", "Three"]) {
    await inside(agent, (instance) => instance.saveMessages([userMessage(text)]));
    alarms.push(await alarmOf(agent));
  }
  expect(alarms[0]).toEqual(expect.any(Number));
  expect(new Set(alarms).size).toBe(1);
});

test("FR-25: the alarm of a lane that has come to rest is taken down", async () => {
  const { agent } = await freshAgent();
  await inside(agent, (instance) => instance.saveMessages([userMessage("One")]));
  await expect.poll(() => alarmOf(agent), { timeout: 3_000 }).toBeNull();
});
