import { expect, test } from "vitest";
import type { AuditEvent } from "../../src/index.ts";
import { stall, text, textAround } from "../../src/testing/index.ts";
import { type AgentClient, crash, drain, freshAgent, inside } from "../support/agents.ts";
import { allEventTypes, modelCalled, transcript } from "../support/observe.ts";
import { replies } from "../support/scripts.ts";
import { modelCallsOf, promptsOf, setUp, userMessage } from "../support/test-agent.ts";

const TURN = ["TurnSubmitted", "TurnClaimed", "MessagesApplied", "StepFinished", "TurnCompleted"];

/** An agent whose lane has run a turn and is at rest: what comes next is accepted and claimed in one commit. */
async function restingAgent(): Promise<{ name: string; agent: AgentClient }> {
  const fresh = await freshAgent("rest");
  await fresh.agent.saveMessages([userMessage("first")]);
  await drain(fresh.agent);
  return fresh;
}

/** The events of the newest turn, without what no two turns share. */
async function newestTurn(agent: AgentClient): Promise<unknown[]> {
  const { events } = await agent.auditLog({ limit: 500 });
  const opened = events.findLast(({ type }) => type === "TurnSubmitted");
  const own = events.filter(({ stream }) => stream === opened?.stream);
  return own.map(({ type, version, actor, causationId, data }: AuditEvent) => ({
    type,
    version,
    actor,
    causedBy: causationId.replace(/[0-9a-f-]{36}/, "<id>").replace(`event:${opened?.position}`, "event:<submitted>"),
    facts: Object.keys(data as object).toSorted(),
  }));
}

/** Rows of a table that hold this text in a column. */
const rowsWith = (agent: AgentClient, table: string, column: string, value: string): Promise<number> =>
  inside(agent, (_, { storage }) =>
    Number(storage.sql.exec(`SELECT count(*) AS n FROM ${table} WHERE ${column} LIKE ?`, `%${value}%`).one()["n"]),
  );

test("a turn of a lane at rest leaves the same events as one that had to wait", async () => {
  const { name, agent } = await restingAgent();
  await agent.saveMessages([userMessage("at rest")]);
  const atRest = await newestTurn(agent);

  const gate = Promise.withResolvers<void>();
  setUp(name, { script: ({ index }) => (index === 2 ? textAround("before", gate.promise, "after") : text("Hello")) });
  const before = agent.saveMessages([userMessage("in front")]);
  await modelCalled(name, 3);
  const waiting = agent.saveMessages([userMessage("behind")]);
  gate.resolve();
  await Promise.all([before, waiting]);

  expect(atRest).toEqual(await newestTurn(agent));
  expect(await allEventTypes(agent)).toEqual(expect.arrayContaining(TURN));
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
  expect((await agent.rebuildProjections()).filter(({ differences }) => differences > 0)).toEqual([]);
});

test("its messages are kept as they were submitted", async () => {
  const { agent } = await restingAgent();
  await agent.saveMessages([userMessage("kept as submitted")]);
  expect(await rowsWith(agent, "thinklog_payloads", "content", "kept as submitted")).toBe(1);
});

test("calls of one moment run in the order in which they were made", async () => {
  const { agent } = await restingAgent();
  await inside(agent, (instance) =>
    Promise.all([
      instance.saveMessages([userMessage("A")]),
      instance.submitMessages([userMessage("B")]),
      instance.saveMessages([userMessage("C")]),
      instance.saveMessages((current) => [...current, userMessage("D")]),
      instance.saveMessages([userMessage("E")]),
    ]),
  );
  const asked = (await transcript(agent)).filter((line) => line.startsWith("user: ")).map((line) => line.slice(6));
  expect(asked).toEqual(["first", "A", "B", "C", "D", "E"]);
});

test("a message that is known already stays as it is, and the turn runs", async () => {
  const { name, agent } = await restingAgent();
  await agent.addMessages([userMessage("as it was", "known")]);
  expect(await agent.saveMessages([userMessage("changed", "known"), userMessage("new", "new")])).toMatchObject({
    status: "completed",
  });
  expect((await transcript(agent)).slice(2, 4)).toEqual(["user: as it was", "user: new"]);
  expect((await allEventTypes(agent)).slice(-5)).toEqual(TURN);
  expect(JSON.stringify(promptsOf(name).at(-1))).not.toContain("changed");
});

test("a turn that is cut off after its claim is done again when the object is back", async () => {
  const { name, agent } = await restingAgent();
  setUp(name, { script: replies(text("first answer"), stall("half"), text("again")) });
  agent.saveMessages([userMessage("cut off")]).catch(() => {});
  await modelCalled(name, 2);
  const revived = await crash(agent);
  await drain(revived);
  expect((await transcript(revived)).filter((line) => line.startsWith("user: "))).toEqual([
    "user: first",
    "user: cut off",
  ]);
  expect((await allEventTypes(revived)).slice(5)).toEqual([
    "TurnSubmitted",
    "TurnClaimed",
    "MessagesApplied",
    "AttemptInterrupted",
    "TurnRequeued",
    "TurnClaimed",
    "StepFinished",
    "TurnCompleted",
  ]);
  expect(modelCallsOf(name)).toBe(3);
});
