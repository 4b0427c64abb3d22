import { expect, test, vi } from "vitest";
import { stall, text } from "../../src/testing/index.ts";
import { drain, freshAgent, inside, restart } from "../support/agents.ts";
import { memory, said } from "../support/memory.ts";
import { sql } from "../support/raw-log.ts";
import { replies } from "../support/scripts.ts";
import { modelCallsOf, setUp, userMessage } from "../support/test-agent.ts";

test.for(["cancelSubmission", "reset"] as const)(
  "a turn that a status hook ends with %s as it is claimed never asks the model, and the next one runs",
  async (how) => {
    const { name, agent } = await freshAgent("gap");
    setUp(name, {
      script: replies(stall("never ends")),
      statusHook: ({ submissionId, status }, self) => {
        if (submissionId !== "a" || status !== "running") return;
        if (how === "reset") self.reset();
        else void self.cancelSubmission("a", "no");
      },
    });
    await agent.submitMessages([userMessage("A")], { submissionId: "a" });
    await agent.waitForSubmission("a");
    setUp(name, { script: replies(text("answer")) });
    await agent.submitMessages([userMessage("B")], { submissionId: "b" });
    expect(await agent.waitForSubmission("b", { timeoutMs: 5_000 })).toMatchObject({ status: "completed" });
    expect(await agent.inspectSubmission("a")).toMatchObject({ status: "aborted" });
    expect(modelCallsOf(name)).toBe(1);
  },
);

test("a submission is run in whichever microtask of a drain's end it is accepted", { timeout: 60_000 }, async () => {
  const left: number[] = [];
  for (let microtasks = 0; microtasks < 30; microtasks += 1) {
    const { agent } = await freshAgent("gap");
    await agent.getMessages();
    await inside(agent, async (self) => {
      const saved = self.saveMessages([userMessage("A")]);
      const cleared = self.clearMessages();
      for (let passed = 0; passed < microtasks; passed += 1) await Promise.resolve();
      await self.submitMessages([userMessage("B")], { submissionId: "b" });
      await saved;
      await cleared;
    });
    const b = await agent.waitForSubmission("b", { timeoutMs: 2_000 });
    if (b?.status === "pending") left.push(microtasks);
  }
  expect(left).toEqual([]);
});

test("an id that is deleted and used anew while its claim waits runs with its new messages, in its new place", async () => {
  const compaction = Promise.withResolvers<null>();
  const talk = await memory({ session: (s) => s.onCompaction(() => compaction.promise).compactAfter(1) });
  await talk.ask("first");
  await talk.in(async (agent) => {
    await agent.submitMessages([said("user", "OLD", "old")], { submissionId: "x" });
    await agent.submitMessages([said("user", "between", "between")], { submissionId: "y" });
    await scheduler.wait(30);
    await agent.cancelSubmission("x");
    await agent.deleteSubmission("x");
    await agent.submitMessages([said("user", "NEW", "new")], { submissionId: "x" });
    compaction.resolve(null);
    await agent.waitForSubmission("x");
  });
  const asked = (await talk.path()).filter((id) => ["old", "between", "new"].includes(id));
  expect(asked).toEqual(["between", "new"]);
});

test.for(["pending", "running"])(
  "a queue row that says %s of a turn that has ended is mended from the log, and the lane goes on",
  async (status) => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    const { agent } = await freshAgent("gap");
    await agent.submitMessages([userMessage("A")], { submissionId: "a" });
    await agent.waitForSubmission("a");
    await drain(agent);
    await sql(agent, `INSERT INTO thinklog_queue VALUES (1, 'a', 'submission', 0, '${status}', 1, 1, NULL, 1)`);
    await restart(agent);
    await agent.submitMessages([userMessage("B")], { submissionId: "b" });
    expect(await agent.waitForSubmission("b", { timeoutMs: 5_000 })).toMatchObject({ status: "completed" });
    expect(said).toHaveBeenCalledWith(expect.stringContaining("made anew from the log"), expect.anything());
    expect((await agent.rebuildProjections()).map(({ differences }) => differences)).not.toContain(1);
    said.mockRestore();
  },
);
