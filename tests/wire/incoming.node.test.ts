import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_CLIENT_TOOLS, MAX_CLIENT_TOOLS_BYTES } from "../../src/wire/client-tools.ts";
import { MAX_FRAME_BYTES } from "../../src/wire/frame-size.ts";
import { readFrame } from "../../src/wire/incoming.ts";

const frame = (type: string, fields: object = {}) => readFrame(JSON.stringify({ type: `cf_agent_${type}`, ...fields }));

const request = (body: object | string, init: object = {}) =>
  frame("use_chat_request", {
    id: "r1",
    init: { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), ...init },
  });

const malformed = (field: string, requestId?: string) => ({
  kind: "malformed",
  ...(requestId !== undefined && { requestId }),
  field,
  error: expect.stringContaining(field),
});

describe("P7: what is none of the protocol belongs to the agent", () => {
  test.each([
    "",
    "hello",
    "cf_agent_chat_clear",
    '{"type":"cf_agent_chat_clear"',
    '"cf_agent_chat_clear"',
    '["cf_agent_chat_clear"]',
    'null and "cf_agent_"',
    '{"type":"cf_agent_unknown"}',
    '{"type":"cf_agent_state","state":{}}',
    '{"type":"own","text":"cf_agent_chat_clear"}',
    '{"type":["cf_agent_chat_clear"]}',
    '{"__proto__":{"type":"cf_agent_chat_clear"}}',
    '{"type":"constructor","x":"cf_agent_"}',
  ])("%s", (text) => {
    expect(readFrame(text)).toBeUndefined();
  });

  test("anything binary", () => {
    const bytes = new TextEncoder().encode('{"type":"cf_agent_chat_clear"}');
    expect(readFrame(bytes)).toBeUndefined();
    expect(readFrame(bytes.buffer)).toBeUndefined();
  });

  test.each(["use_chat_response", "stream_resuming", "stream_pending", "message_updated", "chat_recovering"])(
    "%s, which only servers say",
    (type) => {
      expect(frame(type, { id: "r1" })).toBeUndefined();
    },
  );

  test("any text at all, without a throw", () => {
    fc.assert(
      fc.property(fc.string(), fc.json(), (text, json) => {
        expect(readFrame(text)).toBeUndefined();
        expect(readFrame(`${text}cf_agent_chat_clear${json}`)).toBeUndefined();
      }),
    );
  });
});

const types = [
  "use_chat_request",
  "chat_request_cancel",
  "chat_clear",
  "chat_messages",
  "stream_resume_request",
  "stream_resume_ack",
  "tool_result",
  "tool_approval",
];
const fields = ["id", "init", "probeId", "toolCallId", "toolName", "approved", "state", "errorText", "clientTools"];

test("whatever is in a frame of ours, it is read or told what is wrong, and never thrown at", () => {
  const value = fc.oneof(fc.jsonValue(), fc.string(), fc.constantFrom("output-error", "r1", true, []));
  const body = fc.dictionary(fc.constantFrom("messages", "trigger", "clientTools", "__proto__", "own"), value);
  const init = fc.record({
    method: fc.constantFrom("POST", "GET"),
    body: fc.oneof(
      body.map((fields) => JSON.stringify(fields)),
      fc.string(),
    ),
  });
  const frames = fc.tuple(fc.constantFrom(...types), fc.dictionary(fc.constantFrom(...fields), value), init);
  fc.assert(
    fc.property(frames, fc.boolean(), ([type, members, init], usual) => {
      const read = frame(type, usual ? { ...members, id: "r1", init } : members);
      expect(read).toBeDefined();
      expect(read?.kind !== "malformed" || read.error.includes(read.field)).toBe(true);
    }),
  );
});

describe("a chat request", () => {
  const messages = [{ id: "m1", role: "user", parts: [] }];

  test("P1: has messages, a trigger, tools, and what the application sends beside", () => {
    const clientTools = [{ name: "pick", description: "Pick one", parameters: { type: "object" } }, { name: "bare" }];
    expect(request({ messages, trigger: "regenerate-message", clientTools, user: { a: 1 }, flag: null })).toEqual({
      kind: "chat-request",
      requestId: "r1",
      trigger: "regenerate-message",
      messages,
      clientTools,
      body: { user: { a: 1 }, flag: null },
    });
  });

  test("is a submit without anything else when it says no more", () => {
    expect(request({ messages: [] })).toEqual({
      kind: "chat-request",
      requestId: "r1",
      trigger: "submit-message",
      messages: [],
      clientTools: undefined,
      body: undefined,
    });
  });

  test("P20: no tools are not the same as nothing said of tools", () => {
    expect(request({ messages, clientTools: [] })).toMatchObject({ clientTools: [] });
  });

  test("its body can name anything and changes no prototype", () => {
    const body = '{"messages":[],"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"a":1}';
    const read = request(body);
    if (read?.kind !== "chat-request" || !read.body) throw new Error("not read");
    expect(Object.keys(read.body)).toEqual(["constructor", "a"]);
    const copy: Record<string, unknown> = {};
    for (const key of Object.keys(read.body)) copy[key] = read.body[key];
    expect(copy["admin"]).toBeUndefined();
    expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
    expect(request('{"messages":[],"__proto__":{"a":1}}')).toMatchObject({ body: undefined });
  });

  test.each([
    ["init", { id: "r1" }],
    ["init", { id: "r1", init: "POST" }],
    ["init.method", { id: "r1", init: { body: "{}" } }],
    ["init.method", { id: "r1", init: { method: "GET", body: "{}" } }],
    ["init.body", { id: "r1", init: { method: "POST" } }],
    ["init.body", { id: "r1", init: { method: "POST", body: { messages: [] } } }],
    ["init.body", { id: "r1", init: { method: "POST", body: "{messages" } }],
    ["init.body", { id: "r1", init: { method: "POST", body: "[]" } }],
    ["init.body", { id: "r1", init: { method: "POST", body: "null" } }],
  ])("W2: that cannot be read names %s and who waits", (field, fields) => {
    expect(frame("use_chat_request", fields)).toEqual(malformed(field, "r1"));
  });

  test.each([
    ["messages", {}],
    ["messages", { messages: { length: 0 } }],
    ["trigger", { messages, trigger: "resume" }],
    ["clientTools", { messages, clientTools: {} }],
    ["clientTools", { messages, clientTools: null }],
    ["clientTools[0]", { messages, clientTools: ["pick"] }],
    ["clientTools[0].name", { messages, clientTools: [{}] }],
    ["clientTools[1].name", { messages, clientTools: [{ name: "a" }, { name: " " }] }],
    ["clientTools[0].name", { messages, clientTools: [{ name: "constructor" }] }],
    ["clientTools[0].description", { messages, clientTools: [{ name: "a", description: 1 }] }],
    ["clientTools[0].parameters", { messages, clientTools: [{ name: "a", parameters: [] }] }],
    ["clientTools", { messages, clientTools: Array.from({ length: MAX_CLIENT_TOOLS + 1 }, () => ({ name: "a" })) }],
    ["clientTools", { messages, clientTools: [{ name: "a", description: "x".repeat(MAX_CLIENT_TOOLS_BYTES) }] }],
  ])("W2: whose body is wrong names %s and who waits", (field, body) => {
    expect(request(body)).toEqual(malformed(field, "r1"));
  });

  test.each([undefined, null, 5, "", "  ", "x".repeat(513), "\ud800"])("with the id %j has nobody to answer", (id) => {
    expect(frame("use_chat_request", { id, init: { method: "POST", body: "{}" } })).toEqual(malformed("id"));
  });
});

describe("the other frames", () => {
  test("are read", () => {
    expect(frame("chat_request_cancel", { id: "r1" })).toEqual({ kind: "cancel", requestId: "r1" });
    expect(frame("chat_clear")).toEqual({ kind: "clear" });
    expect(frame("chat_messages", { messages: [] })).toEqual({ kind: "transcript" });
    expect(frame("stream_resume_request")).toEqual({ kind: "resume-request" });
    expect(frame("stream_resume_request", { probeId: "p1" })).toEqual({ kind: "resume-request", probeId: "p1" });
    expect(frame("stream_resume_request", { probeId: 5 })).toEqual({ kind: "resume-request" });
    expect(frame("stream_resume_ack", { id: "r1" })).toEqual({ kind: "resume-ack", requestId: "r1" });
  });

  test("a tool's result has an output, null when the tool gave none", () => {
    const read = { kind: "tool-result", toolCallId: "c1", toolName: "pick", autoContinue: false };
    const call = { toolCallId: "c1", toolName: "pick" };
    expect(frame("tool_result", { ...call, output: { a: 1 }, autoContinue: true })).toEqual({
      ...read,
      result: { state: "output-available", output: { a: 1 } },
      autoContinue: true,
    });
    expect(frame("tool_result", call)).toEqual({ ...read, result: { state: "output-available", output: null } });
    expect(frame("tool_result", { toolCallId: "c1" })).toMatchObject({ toolName: "" });
    expect(frame("tool_result", { ...call, clientTools: [{ name: "a", more: 1 }] })).toMatchObject({
      clientTools: [{ name: "a" }],
    });
  });

  test("a tool's error has a text, if there is one", () => {
    const call = { toolCallId: "c1", toolName: "pick", state: "output-error" };
    expect(frame("tool_result", call)).toMatchObject({ result: { state: "output-error" } });
    expect(frame("tool_result", { ...call, errorText: "no", output: 5 })).toMatchObject({
      result: { state: "output-error", errorText: "no" },
    });
  });

  test("an approval says yes or no", () => {
    const approval = { kind: "tool-approval", toolCallId: "c1", approved: false, autoContinue: true };
    expect(frame("tool_approval", { toolCallId: "c1", approved: false, autoContinue: true })).toEqual(approval);
    expect(frame("tool_approval", { toolCallId: "c1", approved: true })).toMatchObject({ autoContinue: false });
  });

  test.each([
    ["chat_request_cancel", "id", {}],
    ["stream_resume_ack", "id", { id: "" }],
    ["stream_resume_request", "probeId", { probeId: "x".repeat(513) }],
    ["tool_result", "toolCallId", { toolName: "pick", output: 1 }],
    ["tool_result", "toolName", { toolCallId: "c1", toolName: 5 }],
    ["tool_result", "state", { toolCallId: "c1", state: "approval-requested" }],
    ["tool_result", "errorText", { toolCallId: "c1", state: "output-error", errorText: {} }],
    ["tool_result", "clientTools[0].name", { toolCallId: "c1", clientTools: [{ name: 1 }] }],
    ["tool_approval", "toolCallId", { id: "r1", approved: true }],
    ["tool_approval", "approved", { id: "r1", toolCallId: "c1", approved: "yes" }],
  ])("%s without a usable %s says so, to nobody who waits", (type, field, fields) => {
    expect(frame(type, fields)).toEqual(malformed(field));
  });
});

test.each(["output", "clientTools"])("%s nested too deep to be written again is refused", (field) => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const members = {
    output: `"output":${deep}`,
    clientTools: `"clientTools":[{"name":"a","parameters":{"a":${deep}}}]`,
  };
  const text = `{"type":"cf_agent_tool_result","toolCallId":"c1",${members[field as keyof typeof members]}}`;
  expect(readFrame(text)).toEqual(malformed(field));
});

describe("a frame over the limit", () => {
  const long = "x".repeat(MAX_FRAME_BYTES);

  test.each([
    ["last", { id: "r1", init: { method: "POST", body: long }, type: "cf_agent_use_chat_request" }],
    ["first", { type: "cf_agent_use_chat_request", id: "r1", init: { method: "POST", body: long } }],
    ["second", { id: "r1", type: "cf_agent_use_chat_request", init: { method: "POST", body: long } }],
  ])("is a request's, with the type %s", (_, fields) => {
    expect(readFrame(JSON.stringify(fields))).toEqual(malformed("frame", "r1"));
  });

  test("counts bytes, not characters", () => {
    const fields = { id: "r1", body: "€".repeat(MAX_FRAME_BYTES / 3), type: "cf_agent_use_chat_request" };
    expect(readFrame(JSON.stringify(fields))).toEqual(malformed("frame", "r1"));
  });

  test("is of a kind that nobody waits for", () => {
    const fields = { id: "r1", output: long, type: "cf_agent_tool_result" };
    expect(readFrame(JSON.stringify(fields))).toEqual(malformed("frame"));
  });

  test("is the agent's own when it only speaks of the protocol", () => {
    const quoted = JSON.stringify({ type: "cf_agent_chat_clear" });
    expect(readFrame(JSON.stringify({ note: quoted, long, last: quoted }))).toBeUndefined();
    expect(readFrame(JSON.stringify({ id: "r1", long, inner: { type: "cf_agent_chat_clear" } }))).toBeUndefined();
    expect(readFrame(JSON.stringify({ type: "own", long, x: "cf_agent_" }))).toBeUndefined();
  });
});
