import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getAgentByName } from "agents";
import { tool } from "ai";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { callTool, stall, text } from "../../src/testing/index.ts";
import { userMessage } from "../support/test-agent.ts";
import { setUpTurns, type TurnAgent } from "../support/turn-agent.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";

const namespace = (env as unknown as { TurnAgent: DurableObjectNamespace<TurnAgent> }).TurnAgent;
const named = async (name: string): Promise<DurableObjectStub<TurnAgent>> =>
  (await getAgentByName(namespace as never, name)) as unknown as DurableObjectStub<TurnAgent>;

/** Kill the object, after what `last` did is on disk; the stub of its next life. */
async function crashed(
  name: string,
  last: (agent: TurnAgent) => void = () => {},
): Promise<DurableObjectStub<TurnAgent>> {
  const stub = await named(name);
  await runInDurableObject(stub, async (agent, state) => {
    last(agent);
    await state.storage.sync();
    state.abort("crashed by the test");
  }).catch(() => {});
  return named(name);
}

const submit = (agent: DurableObjectStub<TurnAgent>, submissionId: string) =>
  agent.submitMessages([userMessage(submissionId)], { submissionId });

/** An agent whose first turn never gets beyond its tool; what its response hook hears, over all of its lives. */
async function stuckInTool() {
  const name = `response-hook-${crypto.randomUUID()}`;
  const heard: string[] = [];
  let started = false;
  const execute = async (): Promise<string> => {
    started = true;
    return new Promise(() => {});
  };
  setUpTurns(name, {
    tools: { stick: tool({ inputSchema: z.object({}), execute }) },
    script: ({ index }) => (index === 0 && !started ? callTool("stick", {}) : text("fine")),
    onChatResponse: ({ requestId, status, error }) => void heard.push(`${requestId} ${status}: ${error ?? ""}`),
  });
  await submit(await named(name), "a");
  await vi.waitFor(() => expect(started).toBe(true), { timeout: 5000 });
  return { name, heard };
}

afterEach(() => vi.restoreAllMocks());

test("the response hook hears of a turn that was given up after a crash", async () => {
  const { name, heard } = await stuckInTool();
  const agent = await crashed(name);
  expect(await agent.waitForSubmission("a")).toMatchObject({ status: "error" });
  await submit(agent, "b");
  await agent.waitForSubmission("b");
  await vi.waitFor(() =>
    expect(heard).toEqual(["a error: Submission was interrupted after messages were applied.", "b completed: "]),
  );
});

test("the response hook hears of a turn that was cancelled after a crash, before it was taken up again", async () => {
  const { name, heard } = await stuckInTool();
  const agent = await crashed(name);
  await runInDurableObject(agent, async (instance) => {
    await instance.lifecycle.start();
    await instance.cancelSubmission("a", "enough");
  });
  await agent.waitForSubmission("a");
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  // The alarm of the new life may have been first.
  expect(["a aborted: enough", "a error: Submission was interrupted after messages were applied."]).toContain(heard[0]);
});

test("the response hook hears of a turn that could not begin, through a fault of its own", async () => {
  const heard: string[] = [];
  const onChatResponse: Parameters<typeof setUpTurns>[1]["onChatResponse"] = ({ status, error, message }) =>
    void heard.push(`${status}: ${error ?? ""}, ${message.parts.length} parts`);
  await insideTurnAgent({ onChatResponse, script: () => text("fine") }, async (agent) => {
    await agent.saveMessages([userMessage("one", "m1")]);
    expect(await agent.saveMessages([userMessage("other", "m1")])).toMatchObject({ status: "error" });
  });
  expect(heard).toEqual([
    "completed: , 2 parts",
    'error: Message "m1" is in the conversation already, with other content, 0 parts',
  ]);
});

test("after a crash too, the response hook hears nothing of a turn that a reset ended", async () => {
  const name = `response-hook-${crypto.randomUUID()}`;
  const heard: string[] = [];
  let calls = 0;
  setUpTurns(name, {
    script: () => {
      calls += 1;
      return calls === 2 ? stall("half") : text("fine");
    },
    onChatResponse: ({ requestId, status }) => void heard.push(`${requestId} ${status}`),
  });
  const first = await named(name);
  await submit(first, "before");
  await first.waitForSubmission("before");
  await submit(first, "reset");
  await vi.waitFor(() => expect(calls).toBe(2), { timeout: 5000 });
  const agent = await crashed(name, (instance) => instance.resetTurns());
  await submit(agent, "after");
  await agent.waitForSubmission("after");
  await vi.waitFor(() => expect(heard.at(-1)).toBe("after completed"));
  expect(heard.filter((told) => told.startsWith("reset"))).toEqual([]);
});

test("a hook that was at work on a cancelled turn when the object stopped is told again", async () => {
  const name = `response-hook-${crypto.randomUUID()}`;
  const heard: unknown[] = [];
  let life = 1;
  setUpTurns(name, {
    script: () => stall("half"),
    onChatResponse: async ({ requestId, status, recovered }) => {
      heard.push({ life, requestId, status, recovered });
      if (life === 1) await new Promise(() => {});
    },
  });
  const first = await named(name);
  await submit(first, "a");
  await vi.waitFor(async () =>
    expect((await first.auditLog({ submissionId: "a", types: ["MessagesApplied"] })).events).toHaveLength(1),
  );
  await first.cancelSubmission("a", "enough");
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  // The lane falls idle, which stores how far the hook has come.
  await scheduler.wait(150);
  life = 2;
  const agent = await crashed(name);
  await runInDurableObject(agent, (instance) => instance.lifecycle.start());
  await vi.waitFor(() => expect(heard).toHaveLength(2));
  expect(heard[1]).toEqual({ life: 2, requestId: "a", status: "aborted", recovered: true });
});
