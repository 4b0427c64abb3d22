import { expect, test } from "vitest";
import { chainHash, GENESIS } from "../../src/log/chain.ts";
import type { EventRow } from "../../src/log/tables.ts";
import { type AgentClient, freshAgent, inside, restart } from "../support/agents.ts";
import { openLog } from "../support/raw-log.ts";
import { userMessage } from "../support/test-agent.ts";

/** Append an event as another version of this library would: in the chain, of its own type or schema version. */
const appendForeign = (agent: AgentClient, stream: string, type: string, schemaVersion: number): Promise<number> =>
  inside(agent, (_, { storage }) => {
    const { log } = openLog(storage);
    const last = log.head();
    const known = log.stream(stream);
    const position = last.position + 1;
    const facts: Omit<EventRow, "hash"> = {
      position,
      stream,
      version: (known?.version ?? 0) + 1,
      ordinal: known?.ordinal ?? position,
      previous: known?.head ?? null,
      type,
      schemaVersion,
      at: 1_700_000_000_000,
      actor: "future",
      correlationId: "future",
      causationId: "future",
      data: '{"generation":7,"reason":"from the future","more":true}',
    };
    const hash = chainHash(last.hash, facts);
    const values = [...Object.values(facts), hash];
    storage.sql.exec(`INSERT INTO thinklog_events VALUES (${values.map(() => "?").join(",")})`, ...values);
    storage.sql.exec(
      "INSERT OR REPLACE INTO thinklog_streams VALUES (?, ?, ?, ?)",
      stream,
      facts.version,
      facts.ordinal,
      position,
    );
    return position;
  });

async function withForeignEvents(): Promise<{ agent: AgentClient; positions: number[] }> {
  const { agent } = await freshAgent("unknown");
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await agent.waitForSubmission("s1");
  const positions = [
    await appendForeign(agent, "turn/s1", "TurnTeleported", 1),
    await appendForeign(agent, "elsewhere", "TurnTeleported", 9),
    await appendForeign(agent, "lane", "LaneReset", 9),
  ];
  await restart(agent);
  return { agent, positions };
}

test("FR-48: unknown types and newer versions are kept, and reported by the audit query", async () => {
  const { agent, positions } = await withForeignEvents();
  const { events } = await agent.auditLog({ afterPosition: (positions[0] ?? 0) - 1 });
  expect(events).toMatchObject([
    { position: positions[0], type: "TurnTeleported", stream: "turn/s1", data: { more: true } },
    { position: positions[1], type: "TurnTeleported", schemaVersion: 9 },
    { position: positions[2], type: "LaneReset", schemaVersion: 9 },
  ]);
  expect((await agent.auditLog({ types: ["TurnTeleported"] })).events).toHaveLength(2);
  expect((await agent.auditLog({ submissionId: "s1" })).events.at(-1)?.type).toBe("TurnTeleported");
});

test("FR-48: they are verified like all others", async () => {
  const { agent, positions } = await withForeignEvents();
  expect(await agent.verifyLog()).toMatchObject({ ok: true, events: positions.at(-1) });
});

test("FR-48: folds and read models ignore them, live and at a rebuild, and the object goes on", async () => {
  const { agent } = await withForeignEvents();
  expect(await agent.inspectSubmission("s1")).toMatchObject({ status: "completed" });
  const rebuilt = await agent.rebuildProjections();
  expect(rebuilt.every(({ differences }) => differences === 0)).toBe(true);
  expect(rebuilt.every(({ ignored }) => ignored > 0)).toBe(true);
  expect(await agent.deleteSubmission("s1")).toBe(true);
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s2" });
  expect(await agent.waitForSubmission("s2")).toMatchObject({ status: "completed" });
  expect(await agent.verifyLog()).toMatchObject({ ok: true });
});

test("the first event is chained to a fixed beginning", async () => {
  const { agent } = await freshAgent("unknown");
  await agent.getMessages();
  await appendForeign(agent, "elsewhere", "TurnTeleported", 1);
  const rows = await inside(agent, (_, { storage }) => openLog(storage).log.rowsAfter(0, 10));
  expect(rows.map(({ hash, ...facts }) => chainHash(GENESIS, facts) === hash)).toEqual([true]);
});
