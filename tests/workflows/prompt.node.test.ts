import { expect, test } from "vitest";
import { z } from "zod";
import {
  ThinkPromptAbortedError,
  ThinkPromptError,
  ThinkPromptSkippedError,
  ThinkPromptTimeoutError,
  ThinkPromptValidationError,
} from "../../src/workflows/errors.ts";
import { prompt } from "../../src/workflows/prompt.ts";
import { disposable, surroundings, timedOut } from "./support.ts";

const Answer = z.object({ title: z.string(), tags: z.array(z.string()).default([]) });
const OPTIONS = { prompt: "Sum it up", output: Answer };
const completed = (output: unknown, submissionId = "s1") =>
  disposable({ payload: { submissionId, status: "completed", output } });
const ended = (status: string, error?: string) =>
  disposable({ payload: { submissionId: "s1", status, ...(error !== undefined && { error }) } });

test("W-6 W-7: a prompt is one submit step whose result is the submission's id, and one wait for its own event type", async () => {
  const { context, steps, results, requests, waits } = surroundings([completed({ title: "Done", tags: [] })]);
  await prompt(context, "sum", { ...OPTIONS, timeout: "5 minutes" });
  expect(steps).toEqual(["sum:submit", "sum:wait"]);
  expect(results).toEqual([{ submissionId: "s1" }]);
  expect(waits).toEqual([{ type: requests[0]?.workflow.eventType, timeout: "5 minutes" }]);
  expect(requests[0]).toMatchObject({
    prompt: "Sum it up",
    idempotencyKey: "think-workflow:TRIAGE:w1:sum",
    workflow: { name: "TRIAGE", id: "w1", stepName: "sum" },
    schema: { type: "object", required: ["title", "tags"], additionalProperties: false },
  });
});

test("W-7: without a timeout the engine's own limit holds", async () => {
  const { context, waits } = surroundings([completed({ title: "Done" })]);
  await prompt(context, "sum", OPTIONS);
  expect(waits[0]).not.toHaveProperty("timeout");
});

test("W-9: the output is what the schema parses: defaults filled in, unknown keys gone", async () => {
  const { context } = surroundings([completed({ title: "Done", noise: 1 })]);
  expect(await prompt(context, "sum", OPTIONS)).toEqual({ title: "Done", tags: [] });
});

test("W-9 FR-33: an output that does not fit is an error with Zod's words, never a wrong type", async () => {
  const { context } = surroundings([completed({ title: 1 })]);
  const error = await prompt(context, "sum", OPTIONS).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ThinkPromptValidationError);
  expect(error).toMatchObject({
    name: "ThinkPromptValidationError",
    message: "Think prompt returned invalid structured output",
    submissionId: "s1",
    status: "error",
    cause: expect.any(z.ZodError),
  });
});

test("W-9: an asynchronous refinement is waited for, and refuses like any other", async () => {
  const output = z.object({ title: z.string() }).refine(async ({ title }) => title !== "taken");
  const { context } = surroundings([completed({ title: "free" }), completed({ title: "taken" })]);
  expect(await prompt(context, "sum", { ...OPTIONS, output })).toEqual({ title: "free" });
  await expect(prompt(context, "sum", { ...OPTIONS, output })).rejects.toBeInstanceOf(ThinkPromptValidationError);
});

test.each([
  ["aborted", ThinkPromptAbortedError, "Think prompt was aborted"],
  ["skipped", ThinkPromptSkippedError, "Think prompt was skipped"],
  ["error", ThinkPromptError, "Think prompt ended with status error"],
])("W-9: an end as %s has its own class and words, and the reason when there is one", async (status, Class, words) => {
  const { context } = surroundings([ended(status), ended(status, "because")]);
  const first = await prompt(context, "sum", OPTIONS).catch((thrown: unknown) => thrown);
  expect(first).toBeInstanceOf(Class);
  expect(first).toMatchObject({ message: words, submissionId: "s1", status });
  await expect(prompt(context, "sum", OPTIONS)).rejects.toThrow("because");
});

test("W-8: a wait that timed out cancels the submission once, with the fixed reason, and throws the timeout's class", async () => {
  const cause = timedOut();
  const { context, cancelled } = surroundings([cause]);
  const error = await prompt(context, "sum", OPTIONS).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ThinkPromptTimeoutError);
  expect(error).toMatchObject({ message: "Timed out waiting for Think prompt", status: "error", cause });
  expect(cancelled).toEqual([["s1", "Workflow prompt wait timed out"]]);
});

test("W-8: a cancel that fails does not hide the timeout", async () => {
  const { context } = surroundings([timedOut()]);
  context.agent.cancelSubmission = () => Promise.reject(new Error("unreachable"));
  await expect(prompt(context, "sum", OPTIONS)).rejects.toBeInstanceOf(ThinkPromptTimeoutError);
});

test("W-8: with cancelOnTimeout: false the turn goes on", async () => {
  const { context, cancelled } = surroundings([timedOut()]);
  await expect(prompt(context, "sum", { ...OPTIONS, cancelOnTimeout: false })).rejects.toBeInstanceOf(
    ThinkPromptTimeoutError,
  );
  expect(cancelled).toEqual([]);
});

test("decision 8: another error of the engine is thrown as it is, and cancels nothing", async () => {
  const broken = new Error("Engine was never started");
  const { context, cancelled } = surroundings([broken]);
  await expect(prompt(context, "sum", OPTIONS)).rejects.toBe(broken);
  expect(cancelled).toEqual([]);
});

test("W-10: an agent that was reset under its stub is asked once more through a new one", async () => {
  const { context, requests, renewals } = surroundings([completed({ title: "Done" })]);
  const { agent } = context;
  const broken = { ...agent, _thinklog_submitPrompt: () => Promise.reject(new Error("The object was reset")) };
  const reset = {
    ...context,
    get agent() {
      return renewals.length === 0 ? broken : agent;
    },
  };
  expect(await prompt(reset, "sum", OPTIONS)).toMatchObject({ title: "Done" });
  expect([requests.length, renewals]).toEqual([1, [1]]);
});

test("FR-22: an event of another submission is waited past", async () => {
  const late = completed({ title: "Old" }, "s0");
  const { context, steps } = surroundings([late, completed({ title: "New" })]);
  expect(await prompt(context, "sum", OPTIONS)).toMatchObject({ title: "New" });
  expect(steps).toEqual(["sum:submit", "sum:wait", "sum:wait"]);
  expect(late.disposed).toBe(1);
});

test("the same prompt made twice at once comes one after the other, with steps, schema and end of its own", async () => {
  const { context, steps } = surroundings([completed({ title: "Done" }), completed({ title: "Done" })]);
  const output = z.object({ title: z.string().toUpperCase() });
  expect(await Promise.all([prompt(context, "sum", OPTIONS), prompt(context, "sum", { ...OPTIONS, output })])).toEqual([
    { title: "Done", tags: [] },
    { title: "DONE" },
  ]);
  expect(steps).toEqual(["sum:submit", "sum:wait", "sum:submit", "sum:wait"]);
});

test("one that times out leaves the next its own time; but what the engine throws ends both", async () => {
  const { context } = surroundings([timedOut(), completed({ title: "Done" })]);
  const both = [
    prompt(context, "sum", { ...OPTIONS, timeout: 5, cancelOnTimeout: false }),
    prompt(context, "sum", OPTIONS),
  ];
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  const paused = surroundings([new Error("Aborting engine: User called pause"), completed({ title: "Never taken" })]);
  const ended = [prompt(paused.context, "sum", OPTIONS), prompt(paused.context, "sum", OPTIONS)];
  expect((await Promise.allSettled(ended)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(paused.steps).toEqual(["sum:submit", "sum:wait"]);
});

test("a prompt whose key is that of a submission of other means fails at once, and not again and again", async () => {
  const { context, steps } = surroundings([]);
  context.agent._thinklog_submitPrompt = async () => ({ submissionId: "s1", notifies: false });
  await expect(prompt(context, "sum", OPTIONS)).rejects.toMatchObject({
    name: "ThinkPromptError",
    submissionId: "s1",
    message: expect.stringContaining("submitted by other means"),
  });
  expect(steps).toEqual(["sum:submit"]);
});

test("FR-30: receipt and event are disposed of once each: after success, a wrong output and a timeout", async () => {
  const good = completed({ title: "Done" });
  const wrong = completed({ title: 1 });
  const { context, receipts } = surroundings([good, wrong, timedOut()]);
  await prompt(context, "sum", OPTIONS);
  await prompt(context, "sum", OPTIONS).catch(() => {});
  await prompt(context, "sum", OPTIONS).catch(() => {});
  expect([good.disposed, wrong.disposed]).toEqual([1, 1]);
  expect(receipts.map(({ disposed }) => disposed)).toEqual([1, 1, 1]);
});

test.each([
  ["name", " ", OPTIONS],
  ["name", "x".repeat(250), OPTIONS],
  ["name", "x".repeat(230), { ...OPTIONS, key: "k" }],
  ["name", "two\nlines", OPTIONS],
  ["prompt", "sum", { ...OPTIONS, prompt: " " }],
  ["key", "sum", { ...OPTIONS, key: 3 as never }],
  ["key", "sum", { ...OPTIONS, key: "half \ud83d" }],
  ["output", "sum", { ...OPTIONS, output: z.string() as never }],
  ["output", "sum", { ...OPTIONS, output: undefined as never }],
  ["output", "sum", { ...OPTIONS, output: z.object({}) }],
])("bad input is refused before a step is made, naming %s", async (field, name, options) => {
  const { context, steps } = surroundings([]);
  await expect(prompt(context, name, options)).rejects.toMatchObject({ name: "ThinkInputError", field });
  expect(steps).toEqual([]);
});
