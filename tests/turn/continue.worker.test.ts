import { expect, test } from "vitest";
import { empty, streamError, text } from "../../src/testing/index.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { heldTurn, inTurn, transcript } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

test("T-35, T102, T138: without an assistant message at the end there is nothing to continue", async () => {
  await insideTurnAgent({ script: () => empty() }, async (agent) => {
    const skipped = { requestId: "", status: "skipped" };
    expect(await agent.continueTurn()).toEqual(skipped);
    await agent.addMessages([userMessage("Hi")]);
    expect(await agent.continueTurn()).toEqual(skipped);
    expect(await agent.runTurn({ continuation: true })).toEqual({ ...skipped, continuation: true });
    expect(agent.model.calls).toHaveLength(0);
    expect((await agent.auditLog()).events).toEqual([]);
  });
});

test("T-36, T101, T103, T104: it stores a message of its own and says continuation to the hooks", async () => {
  const seen: unknown[] = [];
  await insideTurnAgent(
    {
      script: ({ index }) => text(`part ${index}`),
      beforeTurn: ({ continuation }, agent) => void seen.push(continuation, agent.activeTurn?.continuation),
      onChatResponse: ({ continuation }) => void seen.push(continuation),
    },
    async (agent) => {
      await agent.saveMessages([userMessage("Hi")]);
      expect(await agent.continueTurn()).toMatchObject({ status: "completed" });
      expect(await transcript(agent)).toEqual(["user: Hi", "assistant: part 0", "assistant: part 1"]);
      const ids = (await agent.getMessages()).map(({ id }) => id);
      expect(new Set(ids).size).toBe(3);
    },
  );
  expect(seen).toEqual([false, false, false, true, true, true]);
});

test("T-37, T105, T115, T116: the body reaches beforeTurn of that turn, and only of that", async () => {
  const bodies: unknown[] = [];
  await insideTurnAgent({ beforeTurn: ({ body }) => void bodies.push(body) }, async (agent) => {
    await agent.saveMessages([userMessage("Hi")]);
    await agent.continueTurn({ tone: "dry", nested: [1, { deep: true }] });
    await agent.continueTurn();
  });
  expect(bodies).toEqual([undefined, { tone: "dry", nested: [1, { deep: true }] }, undefined]);
});

test("T-38, L9, FR-67: what the model gets never ends with an assistant message, and what is added is not stored", async () => {
  await insideTurnAgent({ script: inTurn(streamError("cut off", "Hello wor"), text("ld")) }, async (agent) => {
    await agent.saveMessages([userMessage("Hi")]);
    await agent.continueTurn();
    expect(agent.model.calls.map(({ prompt }) => prompt.at(-1)?.role)).toEqual(["user", "user"]);
    expect(agent.model.calls[1]?.prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(await transcript(agent)).toEqual(["user: Hi", "assistant: Hello wor", "assistant: ld"]);
  });
});

test("T113, T114: a continuation is aborted mid-stream, or before it begins", async () => {
  const second = heldTurn();
  await insideTurnAgent(
    {
      ...second,
      script: (call) => (call.index === 0 ? text("first") : second.script({ ...call, index: call.index - 1 })),
    },
    async (agent) => {
      await agent.saveMessages([userMessage("Hi")]);
      const abort = new AbortController();
      const running = agent.continueTurn(undefined, { signal: abort.signal });
      await second.reached;
      abort.abort(new Error("stop"));
      expect(await running).toMatchObject({ status: "aborted" });
      expect(await agent.continueTurn(undefined, { signal: AbortSignal.abort() })).toMatchObject({ status: "aborted" });
      expect(await transcript(agent)).toEqual(["user: Hi", "assistant: first", "assistant: half"]);
    },
  );
});

test("it is of the channel of the turn it continues, unless the caller names one", async () => {
  const channels: unknown[] = [];
  await insideTurnAgent(
    { beforeTurn: (_context, agent) => void channels.push(agent.activeTurn?.channel) },
    async (agent) => {
      await agent.runTurn({ input: "Hi", channel: "mail" });
      await agent.continueTurn();
      await agent.continueTurn(undefined, { channel: "voice" });
    },
  );
  expect(channels).toEqual(["mail", "mail", "voice"]);
});

test("a body that is no plain JSON object is refused by name, before there is a turn", async () => {
  await insideTurnAgent({}, async (agent) => {
    await agent.saveMessages([userMessage("Hi")]);
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    await expect(agent.continueTurn(cyclic)).rejects.toThrow("body cannot be stored as JSON");
    await expect(agent.continueTurn([] as unknown as Record<string, unknown>)).rejects.toThrow(
      "body must be a plain object",
    );
    expect((await agent.auditLog({ types: ["TurnSubmitted"] })).events).toHaveLength(1);
  });
});
