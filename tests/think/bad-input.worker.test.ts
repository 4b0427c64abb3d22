import { expect, test } from "vitest";
import type { SubmitMessagesOptions } from "../../src/index.ts";
import { type AgentClient, freshAgent, inside } from "../support/agents.ts";
import { dump } from "../support/raw-log.ts";
import { userMessage } from "../support/test-agent.ts";

type Case = { what: string; messages?: unknown; options?: unknown; code: string; field: string };

const part = { type: "text", text: "Hi" };
const cases: Case[] = [
  { what: "no array", messages: "Hi", code: "not-an-array", field: "messages" },
  { what: "nothing", messages: null, code: "not-an-array", field: "messages" },
  { what: "an empty list", messages: [], code: "empty", field: "messages" },
  {
    what: "a wrong role",
    messages: [{ id: "m", role: "robot", parts: [part] }],
    code: "invalid-role",
    field: "messages[0].role",
  },
  {
    what: "a blank message id",
    messages: [{ id: " ", role: "user", parts: [part] }],
    code: "invalid-message",
    field: "messages[0].id",
  },
  { what: "no parts", messages: [{ id: "m", role: "user" }], code: "invalid-message", field: "messages[0].parts" },
  { what: "a null among messages", messages: [userMessage("Hi"), null], code: "invalid-message", field: "messages[1]" },
  {
    what: "3 MB in one message",
    messages: [userMessage("a".repeat(3_000_000))],
    code: "too-large",
    field: "messages[0]",
  },
  {
    what: "3 MB of UTF-8 in 1 M characters",
    messages: [userMessage("漢".repeat(1_000_000))],
    code: "too-large",
    field: "messages[0]",
  },
  {
    what: "too much in all",
    messages: Array.from({ length: 12 }, () => userMessage("a".repeat(1_500_000))),
    code: "too-large",
    field: "messages",
  },
  {
    what: "a message that is no JSON",
    messages: [{ ...userMessage("Hi"), metadata: { n: 1n } }],
    code: "not-serializable",
    field: "messages[0]",
  },
  { what: "metadata that is no object", options: { metadata: "text" }, code: "not-an-object", field: "metadata" },
  { what: "metadata that is a list", options: { metadata: [1] }, code: "not-an-object", field: "metadata" },
  { what: "metadata that is no JSON", options: { metadata: { n: 1n } }, code: "not-serializable", field: "metadata" },
  {
    what: "too much metadata",
    options: { metadata: { text: "a".repeat(300_000) } },
    code: "too-large",
    field: "metadata",
  },
  { what: "an id that is no text", options: { submissionId: 1 }, code: "not-a-string", field: "submissionId" },
  { what: "a key that is no text", options: { idempotencyKey: {} }, code: "not-a-string", field: "idempotencyKey" },
  { what: "a blank channel", options: { channel: "" }, code: "blank", field: "channel" },
];

/** Every table of the object that a submission could leave something in. */
const left = (agent: AgentClient): Promise<string[][]> =>
  Promise.all(
    [
      "thinklog_events",
      "thinklog_payloads",
      "thinklog_submissions",
      "thinklog_queue",
      "cf_agents_session_messages",
    ].map((table) => dump(agent, table)),
  );

test.for(cases)("$what is refused by name, and nothing is stored", async ({ messages, options, code, field }) => {
  const { agent } = await freshAgent("bad-input");
  await agent.getMessages();
  const given = messages === undefined ? [userMessage("Hi")] : messages;
  const refused = inside(agent, (instance) =>
    instance.submitMessages(given as never, options as SubmitMessagesOptions),
  );
  await expect(refused).rejects.toMatchObject({ name: "ThinkInputError", code, field });
  expect((await left(agent)).flat()).toEqual([]);
});

test("a refusal is a TypeError with a name, a code and a field", async () => {
  const { agent } = await freshAgent("bad-input");
  await agent.getMessages();
  const error = await inside(agent, (instance) => instance.submitMessages([]).catch((thrown: unknown) => thrown));
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toMatchObject({ name: "ThinkInputError", code: "empty", field: "messages" });
});

test("filters with unknown statuses or limits that are no numbers are refused by name", async () => {
  const { agent } = await freshAgent("bad-input");
  await agent.getMessages();
  const calls: [string, (instance: Parameters<Parameters<typeof inside>[1]>[0]) => Promise<unknown>][] = [
    ["status", (instance) => instance.listSubmissions({ status: "done" as never })],
    ["status", (instance) => instance.listSubmissions({ status: ["pending", "done" as never] })],
    ["limit", (instance) => instance.listSubmissions({ limit: "ten" as never })],
    ["limit", (instance) => instance.listSubmissions({ limit: Number.NaN })],
    ["status", (instance) => instance.deleteSubmissions({ status: "done" as never })],
    ["limit", (instance) => instance.deleteSubmissions({ limit: Number.NaN })],
    ["completedBefore", (instance) => instance.deleteSubmissions({ completedBefore: "today" as never })],
    ["completedBefore", (instance) => instance.deleteSubmissions({ completedBefore: new Date("no date") })],
  ];
  for (const [field, call] of calls) {
    await expect(inside(agent, call), field).rejects.toMatchObject({ name: "ThinkInputError", field });
  }
});

test("FR-41: a status one hundred and fifty times in one filter is one status", async () => {
  const { agent } = await freshAgent("bad-input");
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await agent.waitForSubmission("s1");
  const status = Array.from({ length: 150 }, () => "completed" as const);
  expect(await agent.listSubmissions({ status })).toHaveLength(1);
  expect(await agent.deleteSubmissions({ status })).toBe(1);
});

test("unknown, odd and blank ids are null, not_found and false", async () => {
  const { agent } = await freshAgent("bad-input");
  for (const id of [
    "nobody",
    "",
    " ",
    "'; DROP TABLE thinklog_events; --",
    "lane",
    "turn/x",
    "x".repeat(10_000),
    "\ud83d",
  ]) {
    expect(await agent.inspectSubmission(id)).toBeNull();
    expect(await agent.waitForSubmission(id)).toBeNull();
    expect(await agent.cancelSubmission(id)).toMatchObject({ outcome: "not_found" });
    expect(await agent.deleteSubmission(id)).toBe(false);
  }
  expect((await left(agent)).flat()).toEqual([]);
});

test("ids that look like other streams, SQL or code name submissions of their own", async () => {
  const { agent } = await freshAgent("bad-input");
  const ids = ["lane", "projections", "turn/turn/x", "__proto__", "constructor", "'; --", "漢字 😀"];
  for (const submissionId of ids) await agent.submitMessages([userMessage("Hi")], { submissionId });
  for (const submissionId of ids) {
    expect(await agent.waitForSubmission(submissionId)).toMatchObject({ submissionId, status: "completed" });
  }
  expect(await agent.verifyLog()).toMatchObject({ ok: true, events: ids.length * 5 });
});
