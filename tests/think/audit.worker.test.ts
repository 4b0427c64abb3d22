import { expect, test } from "vitest";
import { type AgentClient, freshAgent, inside } from "../support/agents.ts";
import { userMessage } from "../support/test-agent.ts";
import type { AuditLogOptions } from "../../src/index.ts";

/** Three completed submissions: fifteen events. */
async function threeSubmissions(): Promise<AgentClient> {
  const { agent } = await freshAgent("audit");
  for (const submissionId of ["s1", "s2", "s3"]) {
    await agent.submitMessages([userMessage("Hi")], { submissionId });
    await agent.waitForSubmission(submissionId);
  }
  return agent;
}

/** All pages, one after the other. */
async function pages(agent: AgentClient, options: AuditLogOptions): Promise<number[][]> {
  const all: number[][] = [];
  let cursor: string | undefined;
  do {
    const page = await agent.auditLog({ ...options, ...(cursor !== undefined && { cursor }) });
    all.push(page.events.map(({ position }) => position));
    cursor = page.cursor;
  } while (cursor !== undefined && all.length < 50);
  return all;
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

test("the audit log gives every event once, oldest first, in pages", async () => {
  const agent = await threeSubmissions();
  const paged = await pages(agent, { limit: 4 });
  expect(paged.map((page) => page.length)).toEqual([4, 4, 4, 3]);
  expect(paged.flat()).toEqual(upTo(15));
});

test("it gives the newest first when asked, also in pages", async () => {
  const agent = await threeSubmissions();
  expect((await pages(agent, { order: "desc", limit: 6 })).flat()).toEqual(upTo(15).toReversed());
});

test("it is filtered by submission, by type and by position, alone and together", async () => {
  const agent = await threeSubmissions();
  const positions = async (options: AuditLogOptions) => (await pages(agent, options)).flat();
  expect(await positions({ submissionId: "s2" })).toEqual([6, 7, 8, 9, 10]);
  expect(await positions({ types: ["TurnSubmitted"] })).toEqual([1, 6, 11]);
  expect(await positions({ types: ["TurnSubmitted", "TurnCompleted"], order: "desc", limit: 2 })).toEqual([
    15, 11, 10, 6, 5, 1,
  ]);
  expect(await positions({ afterPosition: 12 })).toEqual([13, 14, 15]);
  expect(await positions({ afterPosition: 12, order: "desc" })).toEqual([15, 14, 13]);
  expect(await positions({ submissionId: "s2", types: ["TurnClaimed"], afterPosition: 5 })).toEqual([7]);
  expect(await positions({ submissionId: "s2", limit: 2 })).toEqual([6, 7, 8, 9, 10]);
  expect(await positions({ submissionId: "s2", order: "desc", limit: 2 })).toEqual([10, 9, 8, 7, 6]);
  expect(await positions({ submissionId: "nobody" })).toEqual([]);
  expect(await positions({ types: [] })).toEqual([]);
  expect(await positions({ types: ["NoSuchType"] })).toEqual([]);
});

test("one hundred and fifty types in one filter work", async () => {
  const agent = await threeSubmissions();
  const types = [...Array.from({ length: 149 }, (_, index) => `Type${index}`), "TurnCompleted"];
  expect((await agent.auditLog({ types })).events).toHaveLength(3);
});

test("an event says where it is, when, by whom and because of what", async () => {
  const agent = await threeSubmissions();
  const { events } = await agent.auditLog({ submissionId: "s1" });
  expect(events[0]).toEqual({
    position: 1,
    stream: "turn/s1",
    version: 1,
    type: "TurnSubmitted",
    schemaVersion: 1,
    at: expect.any(Number),
    actor: "rpc",
    correlationId: "s1",
    causationId: expect.stringMatching(/^command:/),
    data: expect.objectContaining({ turnId: "s1", trigger: "submission" }),
  });
  expect(events.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
  expect(events[1]).toMatchObject({ actor: "engine", causationId: "event:1" });
});

test("content is not in the events: only digests name it", async () => {
  const { agent } = await freshAgent("audit");
  await agent.submitMessages([userMessage("a secret question")], { metadata: { secret: "metadata" } });
  expect(JSON.stringify(await agent.auditLog())).not.toMatch(/secret/);
});

test("both lives of an id are in the audit of a submission that was deleted and submitted again", async () => {
  const { agent } = await freshAgent("audit");
  for (const content of ["one", "two"]) {
    await agent.submitMessages([userMessage(content)], { submissionId: "s1" });
    await agent.waitForSubmission("s1");
    await agent.deleteSubmission("s1");
  }
  const { events } = await agent.auditLog({ submissionId: "s1" });
  expect(events.filter(({ type }) => type === "TurnDeleted")).toHaveLength(2);
  expect(events.map(({ version }) => version)).toEqual(upTo(12));
});

test("a filter that is not acceptable is refused by name", async () => {
  const agent = await threeSubmissions();
  const cases: [AuditLogOptions, string][] = [
    [{ types: "TurnSubmitted" as never }, "types"],
    [{ afterPosition: -1 }, "afterPosition"],
    [{ afterPosition: 1.5 }, "afterPosition"],
    [{ order: "up" as never }, "order"],
    [{ limit: "many" as never }, "limit"],
    [{ limit: Number.NaN }, "limit"],
    [{ cursor: "nonsense" }, "cursor"],
    [{ submissionId: " " }, "submissionId"],
  ];
  for (const [options, field] of cases) {
    const refused = inside(agent, (instance) => instance.auditLog(options));
    await expect(refused, field).rejects.toMatchObject({ name: "ThinkInputError", field });
  }
  const { cursor } = await agent.auditLog({ limit: 1 });
  const other = inside(agent, (instance) => instance.auditLog({ order: "desc", cursor: cursor ?? "" }));
  await expect(other).rejects.toMatchObject({ field: "cursor" });
});
