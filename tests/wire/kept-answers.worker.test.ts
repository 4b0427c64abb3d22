import { tool, type UIMessage } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { callTool, type Reply, stall, text } from "../../src/testing/index.ts";
import { replies } from "../support/scripts.ts";
import { userMessage } from "../support/test-agent.ts";
import { wire } from "./support/wire.ts";
import type { WireAgent } from "./support/wire-agent.ts";

/** Longer than what is held back before it is written. */
const LONG = "word ".repeat(16_000);

/** A tool that never returns: what it did is unknown after a crash. */
const endless = tool({ inputSchema: z.object({}), execute: () => new Promise<string>(() => {}) });

const saidThenCalled: Reply = { steps: [...text(LONG).steps.slice(0, -1), ...callTool("endless", {}, "c1").steps] };

/** Read inside the object: the test's own way to it broke with the crash. */
const messagesOf = (agent: WireAgent) => agent.getMessages() as Promise<UIMessage[]>;
const eventsOf = async (agent: WireAgent, submissionId: string): Promise<string[]> =>
  (await agent.auditLog({ submissionId })).events.map(({ type }) => type);

const streamRows = (_: unknown, state: DurableObjectState): number =>
  state.storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM cf_agents_streams").one().n;

test("what was streamed before a crash is kept when the turn cannot be tried again: exactly what was stored, and the reason", async () => {
  const { connect, crash, inside } = await wire({ tools: { endless }, script: () => saidThenCalled });
  const before = await connect();
  const id = before.request([userMessage("Hi", "u1")]);
  await before.waitFor(({ body }) => body?.includes("tool-input-available") ?? false);
  await expect.poll(() => inside(streamRows)).toBe(1);
  await crash();

  const after = await connect();
  after.follow();
  await after.resume();
  expect(await after.ended(id)).toMatchObject({ error: true, body: expect.stringContaining("interrupted") });
  expect((await inside(messagesOf)).at(-1)?.parts).toContainEqual({ type: "text", text: LONG, state: "done" });
  expect((await inside((agent) => eventsOf(agent, id))).slice(-2)).toEqual(["AttemptInterrupted", "TurnFailed"]);
  expect(await inside(streamRows)).toBe(0);
});

test("a turn that is tried again leaves nothing of the attempt that was cut off, and keeps its answer's id", async () => {
  const { connect, crash, inside } = await wire({ script: replies(stall(LONG), text("whole")) });
  const before = await connect();
  const id = before.request([userMessage("Hi")]);
  const start = await before.waitFor(({ body }) => body?.includes('"start"') ?? false);
  await expect.poll(() => inside(streamRows)).toBe(1);
  await crash();

  const after = await connect();
  after.follow();
  await after.resume();
  expect(await after.ended(id)).toMatchObject({ outcome: "completed" });
  const answer = (await inside(messagesOf)).at(-1);
  expect(answer).toMatchObject({ parts: [{ type: "step-start" }, { type: "text", text: "whole" }] });
  expect(start.body).toContain(answer?.id);
  expect(await inside(streamRows)).toBe(0);
});

test("a short answer writes no rows for its stream, and a long one none that stay", async () => {
  const { connect, inside } = await wire({ script: replies(text("short"), text(LONG)) });
  const tab = await connect();
  await tab.ended(tab.request([userMessage("one")]));
  await tab.ended(tab.request([userMessage("two")]));
  expect(await inside(streamRows)).toBe(0);
});

test("a turn that is cancelled before a crash is dealt with leaves nothing of its stream", async () => {
  const { connect, crash, inside } = await wire({ script: replies(stall(LONG), text("next")) });
  const before = await connect();
  const id = before.request([userMessage("Hi")]);
  await expect.poll(() => inside(streamRows)).toBe(1);
  await crash();
  await inside((agent) => agent.cancelChat(id));
  const after = await connect();
  await after.ended(after.request([userMessage("again")]));
  expect(await inside(streamRows)).toBe(0);
});
