import { expect, test, vi } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { runPrompt, type PromptPorts } from "../../src/workflows/prompt.ts";
import { promptEventType, promptIdempotencyKey, shortHash } from "../../src/workflows/prompt-keys.ts";

type Agent = ReturnType<PromptPorts["agent"]>;

const run = { name: "REPORTS", id: "wf-1" };
const output = z.object({ answer: z.string() });

/** A workflow's world: the agent gives the id `s1`; each wait takes the next event, or throws it when it is an error. */
function world(...events: unknown[]) {
  const disposed: string[] = [];
  const releasable = <T extends object>(name: string, value: T): T =>
    Object.assign(value, { [Symbol.dispose]: () => void disposed.push(name) });
  const stored: unknown[] = [];
  const submitPrompt = vi.fn<Agent["_thinklog_submitPrompt"]>(async () =>
    releasable("submit", { submissionId: "s1", extra: 1 }),
  );
  const cancelSubmission = vi.fn<Agent["cancelSubmission"]>(async () => {
    disposed.push("(cancel)");
    return {};
  });
  const waits = vi.fn<(name: string, options: unknown) => void>();
  const ports: PromptPorts = {
    run,
    agent: () => ({ _thinklog_submitPrompt: submitPrompt, cancelSubmission }),
    step: {
      do: async (name, callback) => {
        const result = await callback();
        stored.push([name, result]);
        return result;
      },
      waitForEvent: async (name, options) => {
        waits(name, options);
        const next = events.shift();
        if (next instanceof Error) throw next;
        return releasable("event", { payload: next as never });
      },
    },
  };
  return { ports, disposed, stored, submitPrompt, cancelSubmission, waits };
}

const done = (value: unknown, submissionId = "s1") => ({ submissionId, status: "completed", output: value });
const timeout = () => Object.assign(new Error("Execution timed out after 10ms"), { name: "WorkflowTimeoutError" });

test("W-2, W-3, W-4: keys and event types are made of the run, the step and the key", () => {
  expect(shortHash("")).toBe("47DEQpj8HBSa-_TImW-5JC");
  expect(promptIdempotencyKey(run, "ask", undefined)).toBe("think-workflow:REPORTS:wf-1:ask");
  expect(promptIdempotencyKey(run, "ask", "")).toBe(`think-workflow:REPORTS:wf-1:ask:${shortHash("")}`);
  expect(promptEventType(run, "ask", "k")).toBe(`think-prompt-${shortHash("REPORTS:wf-1:ask:k")}`);
  expect(promptEventType(run, "ask", "")).toBe(promptEventType(run, "ask", undefined));
});

test("W-5, W-6: the submit step hands over the origin, and keeps the submission's id alone", async () => {
  const { ports, stored, submitPrompt } = world(done({ answer: "42" }));
  expect(await runPrompt(ports, "ask", { prompt: "Why?", output })).toEqual({ answer: "42" });
  expect(stored).toEqual([["ask:submit", { submissionId: "s1" }]]);
  expect(submitPrompt).toHaveBeenCalledWith({
    prompt: "Why?",
    idempotencyKey: "think-workflow:REPORTS:wf-1:ask",
    workflow: { ...run, stepName: "ask", eventType: promptEventType(run, "ask", undefined) },
    schema: z.toJSONSchema(output),
    fingerprint: shortHash(JSON.stringify({ prompt: "Why?", output: z.toJSONSchema(output) })),
  });
});

test("W-7: the wait has the event's type, and a timeout only when there is one", async () => {
  const { ports, waits } = world(done({ answer: "" }), done({ answer: "" }));
  await runPrompt(ports, "ask", { prompt: "Why?", output });
  await runPrompt(ports, "ask", { prompt: "Why?", output, timeout: "2 hours" });
  const type = promptEventType(run, "ask", undefined);
  expect(waits.mock.calls).toEqual([
    ["ask:wait", { type }],
    ["ask:wait", { type, timeout: "2 hours" }],
  ]);
});

test("W-8: a timeout cancels once, after the submit result was disposed, and is a ThinkPromptTimeoutError", async () => {
  const cause = timeout();
  const { ports, disposed, cancelSubmission } = world(cause);
  const failed = runPrompt(ports, "ask", { prompt: "Why?", output });
  await expect(failed).rejects.toMatchObject({ name: "ThinkPromptTimeoutError", status: "error", cause });
  expect(cancelSubmission.mock.calls).toEqual([["s1", "Workflow prompt wait timed out"]]);
  expect(disposed).toEqual(["submit", "(cancel)"]);
});

test("W-8: with cancelOnTimeout false nothing is cancelled; a failing cancel changes nothing", async () => {
  const kept = world(timeout());
  const options = { prompt: "Why?", output };
  await expect(runPrompt(kept.ports, "ask", { ...options, cancelOnTimeout: false })).rejects.toThrow("Timed out");
  expect(kept.cancelSubmission).not.toHaveBeenCalled();
  const broken = world(new Error("Execution timed out after 10ms"));
  broken.cancelSubmission.mockRejectedValue(new Error("gone"));
  await expect(runPrompt(broken.ports, "ask", options)).rejects.toThrow("Timed out waiting for Think prompt");
});

test("W-8: another error of the engine is thrown on as it is, and cancels nothing", async () => {
  const error = new Error("User called pause");
  const { ports, cancelSubmission } = world(error);
  await expect(runPrompt(ports, "ask", { prompt: "Why?", output })).rejects.toBe(error);
  expect(cancelSubmission).not.toHaveBeenCalled();
});

test("W-9: defaults are filled in, unknown members go, async refinements are asked", async () => {
  const schema = z.object({ a: z.string().refine(async (a) => a !== "no"), b: z.number().default(1) });
  const { ports } = world(done({ a: "yes", c: 3 }), done({ a: "no" }));
  expect(await runPrompt(ports, "ask", { prompt: "Why?", output: schema })).toEqual({ a: "yes", b: 1 });
  const failed = runPrompt(ports, "ask", { prompt: "Why?", output: schema });
  await expect(failed).rejects.toMatchObject({ name: "ThinkPromptValidationError", cause: { name: "ZodError" } });
});

test.each([
  ["aborted", undefined, "ThinkPromptAbortedError", "Think prompt was aborted"],
  ["aborted", "No need", "ThinkPromptAbortedError", "No need"],
  ["skipped", undefined, "ThinkPromptSkippedError", "Think prompt was skipped"],
  ["error", undefined, "ThinkPromptError", "Think prompt ended with status error"],
  ["error", "No model", "ThinkPromptError", "No model"],
])("W-9: %s with the reason %s is a %s", async (status, error, name, message) => {
  const { ports, disposed } = world({ submissionId: "s1", status, ...(error && { error }) });
  const failed = runPrompt(ports, "ask", { prompt: "Why?", output });
  await expect(failed).rejects.toMatchObject({ name, message, status, submissionId: "s1" });
  expect(disposed).toEqual(["submit", "event"]);
});

test("FR-22: an event of another submission is disposed of and waited past, under the same step name", async () => {
  const { ports, disposed, waits } = world(done({ answer: "old" }, "s0"), done({ answer: "new" }));
  expect(await runPrompt(ports, "ask", { prompt: "Why?", output })).toEqual({ answer: "new" });
  expect(waits.mock.calls.map(([name]) => name)).toEqual(["ask:wait", "ask:wait"]);
  expect(disposed).toEqual(["submit", "event", "event"]);
});

test("FR-30: results are disposed exactly once, after success and after a failed validation", async () => {
  const good = world(done({ answer: "42" }));
  await runPrompt(good.ports, "ask", { prompt: "Why?", output });
  expect(good.disposed).toEqual(["submit", "event"]);
  const bad = world(done({ answer: 42 }));
  await expect(runPrompt(bad.ports, "ask", { prompt: "Why?", output })).rejects.toThrow("invalid structured output");
  expect(bad.disposed).toEqual(["submit", "event"]);
});

test.each([
  ["output.d", "Date", z.object({ d: z.date() })],
  ["output.d", "Date", z.object({ d: z.coerce.date().optional() })],
  ["output.list[]", "BigInt", z.object({ list: z.array(z.union([z.string(), z.bigint()])) })],
  ["output.r[*]", "Map", z.object({ r: z.record(z.string(), z.map(z.string(), z.string())) })],
  ["output.a.b", "Transforms", z.object({ a: z.object({ b: z.string().transform(Number) }) })],
  ["output.items.c", "Custom types", z.object({ items: z.object({ c: z.custom() }) })],
  ["output.d", "Date", z3.object({ d: z3.date() })],
  ["output.list[]", "Transforms", z3.object({ list: z3.array(z3.string().transform(Number)) })],
])("W-1, FR-34: %s of type %s is refused before there is a step", async (field, words, schema) => {
  const { ports, stored } = world();
  const failed = runPrompt(ports, "ask", { prompt: "Why?", output: schema });
  await expect(failed).rejects.toMatchObject({ name: "ThinkInputError", code: "unrepresentable", field });
  await expect(failed).rejects.toThrow(`${words} cannot be represented in JSON Schema`);
  expect(stored).toEqual([]);
});

const tree = z.object({
  name: z.string(),
  get kids() {
    return z.array(tree);
  },
});

test.each([
  ["dates as text", z.object({ d: z.iso.datetime() }), { type: "object", required: ["d"] }],
  ["recursion", tree, { properties: { kids: { items: { $ref: "#" } } } }],
  ["named parts", z.object({ a: z.string().meta({ id: "A1" }) }), { $defs: { A1: { type: "string" } } }],
  ["a named root", z.object({ a: z.string() }).meta({ id: "R1" }), { type: "object", required: ["a"] }],
  ["records", z.object({ a: z.record(z.string(), z.number()) }), { type: "object" }],
  ["unions", z.object({ a: z.union([z.string(), z.number()]) }), { type: "object" }],
  ["defaults as required", z.object({ a: z.string().default("x") }), { required: ["a"] }],
  ["zod/v3", z3.object({ title: z3.string() }), { type: "object", properties: { title: { type: "string" } } }],
])("W-1, FR-34, FR-35: %s can be asked for", async (_, schema, expected) => {
  const { ports, submitPrompt } = world({ submissionId: "s1", status: "aborted" });
  await expect(runPrompt(ports, "ask", { prompt: "Why?", output: schema })).rejects.toThrow("aborted");
  expect(submitPrompt.mock.calls[0]?.[0].schema).toMatchObject(expected);
});

test.each([
  ["name", " ", {}],
  ["prompt", "ask", { prompt: "\n" }],
  ["output", "ask", { output: z.string() }],
  ["output", "ask", { output: z.object({}) }],
  ["output", "ask", { output: undefined }],
  ["timeout", "ask", { timeout: "soon" }],
  ["timeout", "ask", { timeout: -1 }],
  ["key", "ask", { key: 1 }],
  ["cancelOnTimeout", "ask", { cancelOnTimeout: 0 }],
])("an unacceptable %s is refused before there is a step", async (field, name, wrong) => {
  const { ports, stored } = world();
  const failed = runPrompt(ports, name, { prompt: "Why?", output, ...wrong } as never);
  await expect(failed).rejects.toMatchObject({ name: "ThinkInputError", field });
  expect(stored).toEqual([]);
});
