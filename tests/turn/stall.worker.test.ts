import { expect, test } from "vitest";
import { stall, text } from "../../src/testing/index.ts";
import { freshAgent, inside } from "../support/agents.ts";
import { replies } from "../support/scripts.ts";
import { setUp, userMessage } from "../support/test-agent.ts";

const STALLED = "Chat stream stalled: no activity for 50ms; the turn was aborted by the stall watchdog.";

test("R-40 R-41: a stream in which nothing happens any more ends its turn; what was said is kept, and the next turn runs", async () => {
  const { name, agent } = await freshAgent("stall");
  setUp(name, { script: replies(stall("so far"), text("next")) });
  await inside(agent, (instance) => {
    instance.chatStreamStallTimeoutMs = 50;
  });
  expect(await agent.saveMessages([userMessage("Hi")])).toMatchObject({ status: "error", error: STALLED });
  expect((await agent.getMessages()).at(-1)).toMatchObject({
    role: "assistant",
    parts: [{ type: "step-start" }, { type: "text", text: "so far", state: "done" }],
  });
  expect(await agent.saveMessages([userMessage("And?")])).toMatchObject({ status: "completed" });
});

test("R-44: a stream that goes on is not ended, however long it takes", async () => {
  const { name, agent } = await freshAgent("stall");
  const pauses = Array.from({ length: 5 }, () => scheduler.wait(20));
  const slow = text("a", "b", "c", "d", "e").steps.flatMap((step, index) => [
    step,
    ...(pauses[index] ? [pauses[index]] : []),
  ]);
  setUp(name, { script: () => ({ steps: slow }) });
  await inside(agent, (instance) => {
    instance.chatStreamStallTimeoutMs = 2_000;
  });
  expect(await agent.saveMessages([userMessage("Hi")])).toMatchObject({ status: "completed" });
});
