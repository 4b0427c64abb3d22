/** Prompts of a real workflow. The outcome's event is sent by the test, in the agent's place. */
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { stall } from "../../src/testing/index.ts";
import { promptEventType } from "../../src/workflows/prompt-keys.ts";
import { freshAgent, inside } from "../support/agents.ts";
import { setUp } from "../support/test-agent.ts";

const workflows = (env as unknown as { TEST_PROMPTS: Workflow }).TEST_PROMPTS;

// On its way to the instance's status an error becomes a plain `Error`, with its name in front of its message.
const timedOut = "ThinkPromptTimeoutError: Timed out waiting for Think prompt";

/** A workflow whose prompt was submitted, and whose turn goes on for as long as nobody stops it. */
async function asked(params: Record<string, unknown> = {}) {
  const { agent, name } = await freshAgent("prompts");
  setUp(name, { script: () => stall() });
  const id = `wf-${crypto.randomUUID()}`;
  await inside(agent, (instance) => instance.runWorkflow("TEST_PROMPTS", params, { id, agentBinding: "TestAgent" }));
  const instance = await workflows.get(id);
  const submissionId = await vi.waitFor(
    async () => {
      const [submission] = await agent.listSubmissions();
      if (!submission) throw new Error("Nothing was submitted yet");
      return submission.submissionId;
    },
    { timeout: 10_000, interval: 50 },
  );
  const type = promptEventType({ name: "TEST_PROMPTS", id }, "ask", undefined);
  const send = (payload: Record<string, unknown>) =>
    instance.sendEvent({ type, payload: { submissionId, ...payload } });
  const ended = () =>
    vi.waitFor(
      async () => {
        const status = await instance.status();
        if (status.status !== "complete" && status.status !== "errored") throw new Error(`It is ${status.status}`);
        return status;
      },
      { timeout: 10_000, interval: 50 },
    );
  return { agent, submissionId, send, ended };
}

test("W-9: the workflow gets the output of its own submission; another's event is waited past", async () => {
  const { send, ended } = await asked();
  await send({ submissionId: "another", status: "completed", output: { answer: "old" } });
  await send({ status: "completed", output: { answer: "42", more: 1 } });
  expect(await ended()).toMatchObject({ status: "complete", output: { answer: "42" } });
});

test.each([
  ["aborted", {}, "ThinkPromptAbortedError", "Think prompt was aborted"],
  ["skipped", {}, "ThinkPromptSkippedError", "Think prompt was skipped"],
  ["error", { error: "No model" }, "ThinkPromptError", "No model"],
  ["completed", { output: {} }, "ThinkPromptValidationError", "Think prompt returned invalid structured output"],
])("W-9: a prompt that ended as %s fails the workflow with its own error", async (status, more, name, message) => {
  const { send, ended } = await asked();
  await send({ status, ...more });
  expect(await ended()).toMatchObject({ status: "errored", error: { message: `${name}: ${message}` } });
});

test("W-8: when the time is over the submission is cancelled", async () => {
  const { agent, submissionId, ended } = await asked({ timeout: 500 });
  expect(await ended()).toMatchObject({ status: "errored", error: { message: timedOut } });
  const error = "Workflow prompt wait timed out";
  expect(await agent.inspectSubmission(submissionId)).toMatchObject({ status: "aborted", error });
});

test("W-8: with cancelOnTimeout false the submission goes on", async () => {
  const { agent, submissionId, ended } = await asked({ timeout: 500, cancelOnTimeout: false });
  expect(await ended()).toMatchObject({ error: { message: timedOut } });
  expect((await agent.inspectSubmission(submissionId))?.status).toMatch(/pending|running/);
  await agent.cancelSubmission(submissionId);
});
