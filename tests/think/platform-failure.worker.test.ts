import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tool } from "ai";
import { z } from "zod";
import { callTool, text } from "../../src/testing/index.ts";
import { type AgentClient, fireAlarm, freshAgent, inside } from "../support/agents.ts";
import { eventTypes, modelCalled, transcript } from "../support/observe.ts";
import { breakStorage, type Outage, outage } from "../support/outage.ts";
import { heldReply, replies } from "../support/scripts.ts";
import { modelCallsOf, setUp, userMessage } from "../support/test-agent.ts";

const FAILURES = {
  "a code update": () => new Error("Durable Object reset because its code was updated."),
  "a lost connection": () => new Error("SQL query failed", { cause: new Error("Network connection lost.") }),
};
const TERMINAL = /^Turn(Completed|Failed|Aborted|Skipped)$/;
const touchesLog = (statement: string): boolean => statement.includes("thinklog_");

// The engine reports each failed drain.
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The alarm comes back when its time has come, which a test need not wait for. */
async function alarmsUntil(agent: AgentClient, check: () => Promise<boolean>): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"] });
  await vi.waitFor(async () => {
    vi.setSystemTime(Date.now() + 31_000);
    await fireAlarm(agent);
    expect(await check()).toBe(true);
  });
}

const hasEnded = (agent: AgentClient) => async () => TERMINAL.test((await eventTypes(agent, "s1")).at(-1) ?? "");

test.for(Object.entries(FAILURES))(
  "FR-11: %s during the drain ends nothing and costs no attempt; the work completes once storage is back",
  async ([, failure]) => {
    const { name, agent } = await freshAgent();
    await agent.getMessages();
    const broken = await inside(agent, async (instance, { storage }) => {
      await instance.submitMessages([userMessage("Hi")], { submissionId: "s1" });
      return breakStorage(storage, failure, touchesLog);
    });
    await vi.waitFor(() => expect(broken.failures()).toBeGreaterThanOrEqual(1));
    for (let attempt = 0; attempt < 3; attempt += 1) await fireAlarm(agent).catch(() => {});
    broken.heal();
    expect(await eventTypes(agent, "s1")).toEqual(["TurnSubmitted"]);

    await alarmsUntil(agent, hasEnded(agent));
    expect(await agent.inspectSubmission("s1")).toMatchObject({ status: "completed" });
    expect(modelCallsOf(name)).toBe(1);
    const { events } = await agent.auditLog({ submissionId: "s1", types: ["TurnClaimed"] });
    expect(events.map(({ data }) => data)).toMatchObject([{ attempt: 1 }]);
  },
);

test.for(Object.entries(FAILURES))(
  "FR-11: %s while the answer is stored ends nothing; the turn is done again and completes",
  async ([, failure]) => {
    const { name, agent } = await freshAgent();
    const held = heldReply();
    setUp(name, held);
    await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
    await modelCalled(name, 1);
    const broken = await outage(agent, failure, touchesLog);
    held.open();
    await vi.waitFor(() => expect(broken.failures()).toBeGreaterThanOrEqual(1));
    broken.heal();

    await alarmsUntil(agent, hasEnded(agent));
    expect(await agent.inspectSubmission("s1")).toMatchObject({ status: "completed" });
    expect((await eventTypes(agent, "s1")).filter((type) => TERMINAL.test(type))).toEqual(["TurnCompleted"]);
    expect((await transcript(agent)).filter((line) => line.startsWith("user"))).toEqual(["user: Hi"]);
  },
);

test.for(Object.entries(FAILURES))(
  "FR-11: %s when a tool is about to run is no error of the tool: the tool does not run, the turn is done again",
  async ([, failure]) => {
    const { name, agent } = await freshAgent();
    let broken: Outage | undefined;
    let runs = 0;
    await agent.getMessages();
    const storage = await inside(agent, (_, state) => state.storage);
    setUp(name, {
      script: ({ index }) => {
        if (index === 0) broken = breakStorage(storage, failure, touchesLog);
        return index < 2 ? callTool("look", {}) : text("seen");
      },
      tools: { look: tool({ inputSchema: z.object({}), execute: () => (runs += 1) }) },
    });
    await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
    await vi.waitFor(() => expect(broken?.failures() ?? 0).toBeGreaterThanOrEqual(1));
    broken?.heal();

    await alarmsUntil(agent, hasEnded(agent));
    expect(await agent.inspectSubmission("s1")).toMatchObject({ status: "completed" });
    expect(runs).toBe(1);
    expect((await agent.getMessages()).at(-1)?.parts.some((part) => "errorText" in part)).toBe(false);
  },
);

test("FR-11: a refused acceptance stores nothing and says why; the same call works once storage is back", async () => {
  const { agent } = await freshAgent();
  await agent.getMessages();
  const broken = await outage(agent, FAILURES["a lost connection"], (statement) => /insert/i.test(statement));
  const refused = inside(agent, (instance) => instance.submitMessages([userMessage("Hi")], { submissionId: "s1" }));
  await expect(refused).rejects.toThrow(/SQL query failed|Failed query/);
  broken.heal();
  expect(await agent.inspectSubmission("s1")).toBeNull();
  expect(await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" })).toMatchObject({ accepted: true });
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
});

test("FR-11: an error of the agent's own code is not a platform failure and ends the turn at once", async () => {
  const { name, agent } = await freshAgent();
  setUp(name, {
    script: replies(text("never")),
    beforeModel: () => {
      throw new Error("my own fault");
    },
  });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "error", error: "my own fault" });
});
