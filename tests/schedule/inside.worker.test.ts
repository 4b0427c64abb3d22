import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ScheduleAgent, setUpTasks } from "../support/schedule-agent.ts";
import { EIGHT, freshScheduleAgent, goTo, HOUR, inside, ringAt, tasksOf } from "../support/schedule-agents.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  goTo(EIGHT);
});
afterEach(() => void vi.useRealTimers());

const tasks = () => ({ digest: { schedule: "every 1 hour", prompt: "Digest, please" } }) as const;

/** A root agent with two agents inside of it, all of one class. */
async function family(scope: "root" | "all") {
  const { agent, name } = await freshScheduleAgent({ tasks, scope });
  const children = [`${name}-anna`, `${name}-bert`] as const;
  for (const child of children) setUpTasks(child, { tasks, scope });
  const ask = <R>(child: string, call: (stub: ScheduleAgent) => Promise<R>): Promise<R> =>
    inside(agent, async (instance) =>
      call((await instance.subAgent(ScheduleAgent, child)) as unknown as ScheduleAgent),
    );
  return { agent, children, ask };
}

/** When the root is to wake those inside of it. */
const schedulesOf = (agent: Parameters<typeof tasksOf>[0]): Promise<unknown[]> =>
  inside(agent, (_, { storage }) =>
    storage.sql
      .exec("SELECT time FROM cf_agents_jobs WHERE fn = '_runDeclaredScheduledTask'")
      .toArray()
      .map(({ time }) => time),
  );

describe("FR-74, C-23: agents inside of others", () => {
  test("C-18, C-23: run none of their tasks: one run for the class's root, however many there are", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { agent, children, ask } = await family("root");
    for (const child of children) expect(await ask(child, (stub) => stub.listScheduledTasks())).toEqual([]);
    await ringAt(agent, EIGHT + HOUR);
    expect(await agent.listSubmissions()).toHaveLength(1);
    for (const child of children) expect(await ask(child, (stub) => stub.listSubmissions())).toEqual([]);
    await ask(children[0], (stub) => stub.internal_reconcileScheduledTasks());
    const warnings = warn.mock.calls
      .flat()
      .filter((said) => String(said).includes("Scheduled tasks run in the outermost"));
    expect(warnings).toHaveLength(children.length);
  });

  test('run their own with the scope "all", each on a record and under a key of its own', async () => {
    const { agent, children, ask } = await family("all");
    const [anna, bert] = children;
    for (const child of children) {
      expect(await ask(child, (stub) => stub.listScheduledTasks())).toMatchObject([{ next: EIGHT + HOUR }]);
    }
    await expect.poll(() => schedulesOf(agent)).toEqual([EIGHT + HOUR, EIGHT + HOUR]);
    await ringAt(agent, EIGHT + HOUR);
    await expect.poll(() => schedulesOf(agent)).toEqual([EIGHT + 2 * HOUR, EIGHT + 2 * HOUR]);
    const keys = [
      ...(await agent.listSubmissions()),
      ...(await ask(anna, (stub) => stub.listSubmissions())),
      ...(await ask(bert, (stub) => stub.listSubmissions())),
    ].map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys).size).toBe(3);

    setUpTasks(anna, { tasks: () => ({}) });
    await ask(anna, (stub) => stub.internal_reconcileScheduledTasks());
    expect(await ask(anna, (stub) => stub.listScheduledTasks())).toEqual([]);
    expect(await ask(bert, (stub) => stub.listScheduledTasks())).toHaveLength(1);
    expect(await tasksOf(agent)).toHaveLength(1);
    await expect.poll(() => schedulesOf(agent)).toEqual([EIGHT + 2 * HOUR]);
  });

  test("lose what an earlier version armed when the scope is narrowed", async () => {
    const { children, ask } = await family("all");
    const [anna] = children;
    expect(await ask(anna, (stub) => stub.listScheduledTasks())).toHaveLength(1);
    setUpTasks(anna, { scope: "root" });
    await ask(anna, (stub) => stub.internal_reconcileScheduledTasks());
    expect(await ask(anna, (stub) => stub.listScheduledTasks())).toEqual([]);
  });
});
