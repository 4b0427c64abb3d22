import { expect, test } from "vitest";
import { runDurableObjectAlarm } from "cloudflare:test";
import { callTool, stall, text } from "../../src/testing/index.ts";
import { tool } from "ai";
import { z } from "zod";
import {
  type AgentClient,
  agentNamed,
  alarmOf,
  crash,
  drain,
  fireAlarm,
  freshAgent,
  inside,
  restart,
} from "../support/agents.ts";
import { eventTypes, modelCalled, transcript } from "../support/observe.ts";
import { replies } from "../support/scripts.ts";
import { modelCallsOf, setUp, userMessage } from "../support/test-agent.ts";

const TERMINAL = /^Turn(Completed|Failed|Aborted|Skipped)$/;

/** A submission that was accepted, while the object died before its alarm came. */
async function acceptedOnly(): Promise<{ name: string; agent: AgentClient }> {
  const { name, agent } = await freshAgent();
  await agent.getMessages();
  await inside(agent, async (instance, { storage }) => {
    await instance.submitMessages([userMessage("Hi", "m1")], { submissionId: "s1", idempotencyKey: "k" });
    await storage.deleteAlarm();
  });
  return { name, agent };
}

/** An object that died while the model was streaming. */
async function diedStreaming(firstReply = stall("half")): Promise<{ name: string; agent: AgentClient }> {
  const { name, agent } = await freshAgent();
  setUp(name, { script: replies(firstReply, text("whole")) });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);
  return { name, agent: await crash(agent) };
}

test("FR-07 S-11: a retry re-arms a submission whose alarm was lost, and it completes", async () => {
  const { name, agent } = await acceptedOnly();
  expect(await alarmOf(agent)).toBeNull();
  const retried = await agent.submitMessages([userMessage("Hi", "m1")], { idempotencyKey: "k" });
  expect(retried).toMatchObject({ accepted: false, status: "pending" });
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
  expect(modelCallsOf(name)).toBe(1);
});

test.for(["restart", "crash"] as const)(
  "FR-07 S-47: after a %s any call re-arms a submission whose alarm was lost",
  async (how) => {
    const { name, agent: first } = await acceptedOnly();
    if (how === "restart") await restart(first);
    const agent = how === "crash" ? await crash(first) : first;
    expect(await agent.inspectSubmission("s1")).toMatchObject({ status: "pending" });
    expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
    expect(modelCallsOf(name)).toBe(1);
  },
);

test("FR-07: an agent with nothing to do sets no alarm when it wakes", async () => {
  const { agent } = await freshAgent();
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await agent.waitForSubmission("s1");
  await drain(agent);
  await restart(agent);
  await agent.inspectSubmission("s1");
  expect(await alarmOf(agent)).toBeNull();
});

test("S-47 FR-01: after a restart those that waited run in the order of their acceptance", async () => {
  const { name, agent } = await freshAgent();
  await agent.getMessages();
  await inside(agent, async (instance, { storage }) => {
    for (const content of ["A", "B", "C"]) {
      await instance.submitMessages([userMessage(content)], { submissionId: content });
    }
    await storage.deleteAlarm();
  });
  await restart(agent);
  await agent.waitForSubmission("C");
  expect((await transcript(agent)).filter((line) => line.startsWith("user"))).toEqual([
    "user: A",
    "user: B",
    "user: C",
  ]);
  expect(modelCallsOf(name)).toBe(3);
});

test("S-25: a turn that was applied and interrupted is tried again, with its messages stored once", async () => {
  const { name, agent } = await diedStreaming();
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
  expect(await transcript(agent)).toEqual(["user: Hi", "assistant: whole"]);
  expect(modelCallsOf(name)).toBe(2);
  const { events } = await agent.auditLog({ submissionId: "s1", types: ["TurnClaimed"] });
  const claims = events.map(({ data }) => data as { attempt: number; epoch: number });
  expect(claims.map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(claims[1]?.epoch).toBeGreaterThan(claims[0]?.epoch ?? 0);
});

test("FR-08: a stream that opened and said nothing is retried from the same user message", async () => {
  const { name, agent } = await diedStreaming(stall());
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
  expect(await transcript(agent)).toEqual(["user: Hi", "assistant: whole"]);
  expect(modelCallsOf(name)).toBe(2);
});

test("S-25: a turn whose tool may have run is not done again; it ends with the reason", async () => {
  const { name, agent: first } = await freshAgent();
  let runs = 0;
  setUp(name, {
    script: replies(callTool("pay", {}), text("paid")),
    tools: {
      pay: tool({
        inputSchema: z.object({}),
        execute: () => {
          runs += 1;
          return new Promise<string>(() => {});
        },
      }),
    },
  });
  await first.submitMessages([userMessage("Pay")], { submissionId: "s1" });
  await expect.poll(() => runs).toBe(1);
  const agent = await crash(first);
  expect(await agent.waitForSubmission("s1")).toMatchObject({
    status: "error",
    error: "Submission was interrupted after messages were applied.",
  });
  expect({ runs, calls: modelCallsOf(name) }).toEqual({ runs: 1, calls: 1 });
});

test("FR-04: recoveries that come at once run the work once, each attempt under its own epoch", async () => {
  const { name, agent } = await diedStreaming();
  const stub = agent as unknown as DurableObjectStub;
  await Promise.all([
    runDurableObjectAlarm(stub),
    agent.inspectSubmission("s1"),
    runDurableObjectAlarm(stub),
    agent.saveMessages([userMessage("meanwhile")]),
    agent.waitForSubmission("s1"),
  ]);
  const { events } = await agent.auditLog({ submissionId: "s1", types: ["TurnClaimed"] });
  const claims = events.map(({ data }) => data as { attempt: number; epoch: number });
  expect(claims.map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(claims[1]?.epoch).toBeGreaterThan(claims[0]?.epoch ?? 0);
  const attempts = await eventTypes(agent, "s1");
  expect(attempts.filter((type) => TERMINAL.test(type))).toEqual(["TurnCompleted"]);
  expect(modelCallsOf(name)).toBe(3);
});

test("FR-10: a turn that kills its object is given up after five attempts, and later submissions run", async () => {
  const { name, agent: first } = await freshAgent();
  setUp(name, { script: () => stall("x") });
  await first.submitMessages([userMessage("poison")], { submissionId: "s1" });
  let agent = first;
  for (let life = 1; life <= 5; life += 1) {
    await modelCalled(name, life);
    agent = await crash(agent);
    await agent.inspectSubmission("s1");
  }
  const ended = await agent.waitForSubmission("s1");
  expect(ended).toMatchObject({ status: "error", error: expect.stringContaining("interrupted 5 times") });

  for (let wake = 0; wake < 10; wake += 1) {
    agent = await crash(agent);
    await agent.inspectSubmission("s1");
    await fireAlarm(agent);
  }
  expect(modelCallsOf(name)).toBe(5);
  setUp(name, { script: () => text("healthy") });
  await agent.submitMessages([userMessage("next")], { submissionId: "s2" });
  expect(await agent.waitForSubmission("s2")).toMatchObject({ status: "completed" });
  expect(await agent.inspectSubmission("s1")).toEqual(ended);
});

test("FR-10: an attempt is on record before the model is called", async () => {
  const { name, agent } = await freshAgent();
  const seen: unknown[] = [];
  setUp(name, {
    script: async () => {
      const { events } = await (await agentNamed(name)).auditLog({ submissionId: "s1", types: ["TurnClaimed"] });
      seen.push(events.map(({ data }) => data));
      return text("fine");
    },
  });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await agent.waitForSubmission("s1");
  expect(seen).toMatchObject([[{ attempt: 1 }]]);
});

test("S-47: stored messages that were damaged on disk end the submission with an error, and those behind it run", async () => {
  const { agent } = await freshAgent();
  await agent.getMessages();
  await inside(agent, async (instance, { storage }) => {
    await instance.submitMessages([userMessage("Hi")], { submissionId: "s1" });
    await instance.submitMessages([userMessage("next")], { submissionId: "s2" });
    storage.sql.exec("UPDATE thinklog_payloads SET content = substr(content, 1, 20) WHERE content LIKE '%Hi%'");
  });
  const ended = await agent.waitForSubmission("s1");
  expect(ended).toMatchObject({
    status: "error",
    error: expect.stringContaining("Stored submission messages are invalid"),
  });
  expect(await agent.waitForSubmission("s2")).toMatchObject({ status: "completed" });
});

test("S-47: a blocking turn whose caller is gone still ends, and is not a mystery in the log", async () => {
  const { name, agent: first } = await freshAgent();
  setUp(name, { script: replies(stall("half"), text("whole")) });
  const lost = first.saveMessages([userMessage("Hi")]).catch((error: unknown) => error);
  await modelCalled(name, 1);
  const agent = await crash(first);
  expect(await lost).toBeInstanceOf(Error);
  await agent.inspectSubmission("any");
  await modelCalled(name, 2);
  await drain(agent);
  expect(await transcript(agent)).toEqual(["user: Hi", "assistant: whole"]);
  const { events } = await agent.auditLog({ types: ["TurnCompleted"] });
  expect(events).toHaveLength(1);
});

test("S-47: a blocking turn whose messages a lost caller was to make ends with that reason", async () => {
  const { name, agent: first } = await freshAgent();
  await first.getMessages();
  let asked = false;
  const lost = inside(first, (instance) =>
    instance.saveMessages(() => {
      asked = true;
      return new Promise(() => {});
    }),
  ).catch((error: unknown) => error);
  await expect.poll(() => asked).toBe(true);
  const agent = await crash(first);
  expect(await lost).toBeInstanceOf(Error);
  await agent.submitMessages([userMessage("next")], { submissionId: "s2" });
  expect(await agent.waitForSubmission("s2")).toMatchObject({ status: "completed" });
  const { events } = await agent.auditLog({ types: ["TurnFailed"] });
  expect(events).toMatchObject([
    { data: { error: "The turn was interrupted before its input function had produced the messages." } },
  ]);
  expect(modelCallsOf(name)).toBe(1);
});
