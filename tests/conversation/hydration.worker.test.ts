import { Session } from "agents/sessions";
import { expect, test, vi } from "vitest";
import { ids, memory, type Memory, said } from "../support/memory.ts";
import { publishedBy } from "../support/telemetry.ts";

const published = (agent: Memory, type: string) =>
  publishedBy(agent.name)
    .filter((event) => event.type === type)
    .map(({ payload }) => payload);

const windowed = (agent: Memory) => published(agent, "chat:hydration:windowed");

/** Messages of about a thousand stored bytes each. */
async function fill(agent: Memory, count: number): Promise<void> {
  await agent.in(async ({ session }) => {
    for (let n = 1; n <= count; n++) await session.appendMessage(said("user", "x".repeat(900), `m${n}`));
  });
}

test("S66, T353, T354: a conversation above the budget starts as its newest part; the window is told when it changes", async () => {
  const agent = await memory();
  await fill(agent, 10);
  expect(windowed(agent)).toEqual([]);

  agent.setUp({ fields: { hydrationByteBudget: 3_500 } });
  await agent.restart();
  await agent.in(async (self) => {
    expect(ids(self.messages)).toEqual(["m8", "m9", "m10"]);
    expect(await self.session.getHistory()).toHaveLength(10);
    await self.sync();
    await self.sync();
  });
  expect(windowed(agent)).toEqual([
    { totalContentBytes: expect.any(Number) as number, budgetBytes: 3_500, hydratedMessages: 3 },
  ]);
  await agent.in(async (self) => {
    await self.append(said("user", "x".repeat(900), "m11"));
    await self.sync();
    expect(ids(self.messages)).toEqual(["m9", "m10", "m11"]);
  });
  expect(windowed(agent)).toHaveLength(2);
});

test("S66: a window is cut again before it grows far beyond the budget, without a restart", async () => {
  const agent = await memory({ fields: { hydrationByteBudget: 4_000 } });
  await fill(agent, 20);
  await agent.in((self) => {
    expect(self.messages.length).toBeLessThanOrEqual(5);
    expect(self.messages.at(-1)?.id).toBe("m20");
  });
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("S66, T356: a budget of %d is none", async (budget) => {
  const agent = await memory({ fields: { hydrationByteBudget: budget } });
  await fill(agent, 5);
  await agent.restart();
  expect(await agent.in((self) => self.messages.length)).toBe(5);
  expect(windowed(agent)).toEqual([]);
});

test("S67, T357: a turn sees the window, and its answer is stored at the end of the whole conversation", async () => {
  const agent = await memory({ fields: { hydrationByteBudget: 2_500 } });
  await fill(agent, 6);
  await agent.restart();
  await agent.ask("hello", "u");
  expect(agent.calls()[0]?.prompt.filter(({ role }) => role === "user").length).toBeLessThan(6);
  expect((await agent.path()).slice(0, 7)).toEqual(["m1", "m2", "m3", "m4", "m5", "m6", "u"]);
});

test("S68, T355, T377: when the conversation cannot be read the agent starts, takes messages and answers; a sync restores it", async () => {
  const agent = await memory();
  await fill(agent, 2);
  await agent.restart();
  const read = vi.spyOn(Session.prototype, "getRecentHistory").mockRejectedValue(new Error("out of memory"));
  try {
    await agent.in(async (self) => {
      expect(self.messages).toEqual([]);
      expect(self.getOnStartDegradations()).toMatchObject([
        { step: "transcript-hydration", error: { message: "out of memory" } },
      ]);
      await self.submitMessages([said("user", "hello", "u")], { submissionId: "s1" });
      expect(await self.inspectSubmission("s1")).toMatchObject({ submissionId: "s1" });
    });
    await agent.ask("and again", "u2");
  } finally {
    read.mockRestore();
  }
  expect(published(agent, "chat:onstart:degraded")).toEqual([{ step: "transcript-hydration", error: "out of memory" }]);
  // Nothing of the old conversation was cut off by what came while it could not be read.
  await agent.in(async (self) => {
    expect(ids(await self.sync()).slice(0, 3)).toEqual(["m1", "m2", "u"]);
    expect(self.getOnStartDegradations()).toEqual([]);
  });
});

test("S68: the agent starts also when not even the end of the conversation can be read", async () => {
  const agent = await memory();
  await fill(agent, 3);
  await agent.in(({ session }) => session.setActiveLeaf("m1"));
  await agent.restart();
  const broken = new Error("storage is away");
  const spies = [
    vi.spyOn(Session.prototype, "getRecentHistory").mockRejectedValue(broken),
    vi.spyOn(Session.prototype, "getLatestLeaf").mockRejectedValue(broken),
  ];
  try {
    await agent.in(async (self) => {
      expect(self.getOnStartDegradations()).toMatchObject([{ step: "transcript-hydration", error: broken }]);
      expect(await self.submitMessages([said("user", "x")])).toMatchObject({ accepted: true });
    });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
});

test("T378: a degraded agent is whole again after its next start", async () => {
  const agent = await memory();
  await fill(agent, 2);
  await agent.restart();
  const read = vi.spyOn(Session.prototype, "getRecentHistory").mockRejectedValue(new Error("out of memory"));
  await agent.in((self) => expect(self.messages).toEqual([])).finally(() => read.mockRestore());
  await agent.restart();
  await agent.in((self) => {
    expect(ids(self.messages)).toEqual(["m1", "m2"]);
    expect(self.getOnStartDegradations()).toEqual([]);
  });
});
