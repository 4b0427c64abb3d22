import { expect, test, vi } from "vitest";
import { tool } from "ai";
import { z } from "zod";
import { callTool, stall, streamError, text } from "../../src/testing/index.ts";
import { crash, freshAgent, inside } from "../support/agents.ts";
import { modelCalled } from "../support/observe.ts";
import { heldReply, replies } from "../support/scripts.ts";
import { setUp, userMessage } from "../support/test-agent.ts";

test("S-38: an unknown submission is null, an ended one is there at once, an error resolves", async () => {
  const { name, agent } = await freshAgent();
  setUp(name, { script: () => streamError("provider down") });
  expect(await agent.waitForSubmission("nobody")).toBeNull();
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "error", error: "provider down" });
  expect(await agent.waitForSubmission("s1")).toEqual(await agent.inspectSubmission("s1"));
});

test("S-38: a wait resolves only after the hook for the end has returned", async () => {
  const { name, agent } = await freshAgent();
  const hook = Promise.withResolvers<void>();
  let entered = false;
  setUp(name, {
    statusHook: async ({ status }) => {
      if (status !== "completed") return;
      entered = true;
      await hook.promise;
    },
  });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  let resolved = false;
  const wait = agent.waitForSubmission("s1").then((ended) => {
    resolved = true;
    return ended;
  });
  await vi.waitFor(() => expect(entered).toBe(true));
  expect(await agent.inspectSubmission("s1")).toMatchObject({ status: "completed" });
  const late = agent.waitForSubmission("s1");
  await agent.inspectSubmission("s1");
  expect(resolved).toBe(false);
  hook.resolve();
  expect(await wait).toMatchObject({ status: "completed" });
  expect(await late).toMatchObject({ status: "completed" });
});

test("S-38: everybody who waits is told", async () => {
  const { agent } = await freshAgent();
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  const all = await Promise.all([1, 2, 3].map(() => agent.waitForSubmission("s1")));
  expect(all.map((ended) => ended?.status)).toEqual(["completed", "completed", "completed"]);
});

test("S-39: after its timeout a wait resolves with the record as it is then", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  setUp(name, held);
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);
  expect(await agent.waitForSubmission("s1", { timeoutMs: 1 })).toMatchObject({ status: "running" });
  expect(await agent.waitForSubmission("s1", { timeoutMs: 0 })).toMatchObject({ status: "running" });
  held.open();
  expect(await agent.waitForSubmission("s1", { timeoutMs: 10_000 })).toMatchObject({ status: "completed" });
});

test("S-39: after its timeout a wait for what was deleted meanwhile is null", async () => {
  const { name, agent } = await freshAgent();
  const hook = Promise.withResolvers<void>();
  setUp(name, { statusHook: ({ status }) => (status === "completed" ? hook.promise : undefined) });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await vi.waitFor(async () => expect((await agent.inspectSubmission("s1"))?.status).toBe("completed"));
  const wait = agent.waitForSubmission("s1", { timeoutMs: 50 });
  expect(await agent.deleteSubmission("s1")).toBe(true);
  expect(await wait).toBeNull();
  hook.resolve();
});

test("S-40: deleting an ended submission releases its waiters with its last state, after its announcement", async () => {
  const { name, agent } = await freshAgent();
  const hook = Promise.withResolvers<void>();
  setUp(name, { statusHook: ({ status }) => (status === "completed" ? hook.promise : undefined) });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  let resolved = false;
  const early = agent.waitForSubmission("s1").finally(() => {
    resolved = true;
  });
  await vi.waitFor(async () => expect((await agent.inspectSubmission("s1"))?.status).toBe("completed"));
  const late = agent.waitForSubmission("s1");
  expect(await agent.deleteSubmission("s1")).toBe(true);
  await agent.inspectSubmission("s1");
  expect(resolved).toBe(false);
  hook.resolve();
  expect(await early).toMatchObject({ submissionId: "s1", status: "completed" });
  expect(await late).toMatchObject({ submissionId: "s1", status: "completed" });
});

test("S-41: a status hook cannot wait for a submission that has not ended, its own or another", async () => {
  const { name, agent } = await freshAgent();
  const refused: unknown[] = [];
  setUp(name, {
    statusHook: async ({ submissionId, status }, instance) => {
      if (status !== "running" && status !== "completed") return;
      await instance.waitForSubmission(submissionId).catch((error: Error) => refused.push(error.message));
    },
  });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await agent.waitForSubmission("s1");
  const text =
    "waitForSubmission() cannot be called from onSubmissionStatus: the submission settles only after the hook returns";
  expect(refused).toEqual([text, text]);
});

test("S-41: a status hook may ask for a submission that has ended and was announced, or that is unknown", async () => {
  const { name, agent } = await freshAgent();
  await agent.submitMessages([userMessage("Hi")], { submissionId: "earlier" });
  await agent.waitForSubmission("earlier");
  const seen: unknown[] = [];
  setUp(name, {
    statusHook: async ({ status }, instance) => {
      if (status === "running") seen.push(await instance.waitForSubmission("earlier"));
      if (status === "running") seen.push(await instance.waitForSubmission("nobody"));
    },
  });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await agent.waitForSubmission("s1");
  expect(seen).toMatchObject([{ submissionId: "earlier", status: "completed" }, null]);
});

test("S-41: work that a hook leaves behind may wait", async () => {
  const { name, agent } = await freshAgent();
  const left = Promise.withResolvers<unknown>();
  setUp(name, {
    statusHook: ({ submissionId, status }, instance) => {
      if (status !== "pending") return;
      const later = scheduler.wait(0).then(() => instance.waitForSubmission(submissionId));
      later.then(left.resolve, left.reject);
    },
  });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  expect(await left.promise).toMatchObject({ status: "completed" });
});

test("S-42: a turn cannot wait for a submission, which runs only after it", async () => {
  const { name, agent } = await freshAgent();
  const results: unknown[] = [];
  setUp(name, {
    script: replies(callTool("wait", {}), text("done")),
    tools: (instance) => ({
      wait: tool({
        inputSchema: z.object({}),
        execute: async () => {
          await instance.submitMessages([userMessage("later")], { submissionId: "s2" });
          await instance.waitForSubmission("s2").catch((error: Error) => results.push(error.message));
          return "asked";
        },
      }),
    }),
  });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
  expect(results).toEqual([
    "waitForSubmission() cannot be called from inside an active turn: the submission runs only after this turn ends",
  ]);
  expect(await agent.waitForSubmission("s2")).toMatchObject({ status: "completed" });
});

test("S-42: a turn may ask for a submission that has ended", async () => {
  const { name, agent } = await freshAgent();
  const results: unknown[] = [];
  setUp(name, {
    script: replies(text("first"), callTool("ask", {}), text("done")),
    tools: (instance) => ({
      ask: tool({
        inputSchema: z.object({}),
        execute: async () => results.push((await instance.waitForSubmission("s1"))?.status),
      }),
    }),
  });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await agent.submitMessages([userMessage("Hi")], { submissionId: "s2" });
  await agent.waitForSubmission("s2");
  expect(results).toEqual(["completed"]);
});

test("S-43: a restart rejects the wait, and calling again takes it up", async () => {
  const { name, agent: first } = await freshAgent();
  setUp(name, { script: replies(stall("x"), text("after all")) });
  await first.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await modelCalled(name, 1);
  const wait = first.waitForSubmission("s1").catch((error: unknown) => error);
  await first.inspectSubmission("s1");

  const agent = await crash(first);
  expect(await wait).toBeInstanceOf(Error);
  expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
});

test("S-39: a timeout that is no time is an argument error", async () => {
  const { agent } = await freshAgent();
  await agent.getMessages();
  for (const timeoutMs of [-1, Number.NaN, "soon" as never]) {
    const refused = inside(agent, (instance) => instance.waitForSubmission("s1", { timeoutMs }));
    await expect(refused).rejects.toMatchObject({ name: "ThinkInputError", field: "timeoutMs" });
  }
});
