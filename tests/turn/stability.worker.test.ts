import { tool } from "ai";
import { z } from "zod";
import { expect, test } from "vitest";
import { callTool } from "../../src/testing/index.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { userMessage } from "../support/test-agent.ts";

const clientTool = { zone: tool({ inputSchema: z.object({}), outputSchema: z.string() }) };
const guarded = {
  send: tool({ inputSchema: z.object({}), needsApproval: true, execute: () => "sent" }),
};

test("T117: an idle agent is stable at once", async () => {
  await insideTurnAgent({}, async (agent) => {
    expect(await agent.stable({ timeout: 0 })).toBe(true);
  });
});

test("T119: a call of a tool that the client runs is pending, and the wait is over at its deadline", async () => {
  await insideTurnAgent({ script: () => callTool("zone", {}), tools: clientTool }, async (agent) => {
    await agent.saveMessages([userMessage("Where am I?")]);
    expect(agent.pending()).toBe(true);
    expect(await agent.stable({ timeout: 20 })).toBe(false);
  });
});

test("T121: an approval that is asked for is pending", async () => {
  await insideTurnAgent({ script: () => callTool("send", {}), tools: guarded }, async (agent) => {
    await agent.saveMessages([userMessage("Send it")]);
    expect(agent.pending()).toBe(true);
  });
});

test("T120: a server tool that never got its result is not pending", async () => {
  await insideTurnAgent({ tools: { slow: tool({ inputSchema: z.object({}), execute: () => 1 }) } }, async (agent) => {
    await agent.addMessages([
      { id: "u", role: "user", parts: [{ type: "text", text: "go" }] },
      {
        id: "a",
        role: "assistant",
        parts: [{ type: "tool-slow", toolCallId: "c", state: "input-available", input: {} }],
      },
    ]);
    expect(agent.pending()).toBe(false);
    expect(await agent.stable({ timeout: 0 })).toBe(true);
  });
});

test("decision 17: an approval of an earlier answer does not keep the agent unstable", async () => {
  let calls = 0;
  await insideTurnAgent(
    {
      script: () => (calls++ === 0 ? callTool("send", {}) : { steps: callTool("send", {}).steps.slice(1) }),
      tools: guarded,
    },
    async (agent) => {
      await agent.saveMessages([userMessage("Send it")]);
      await agent.addMessages([userMessage("never mind")]);
      expect(agent.pending()).toBe(false);
    },
  );
});

test("T-68: from inside a turn, a wait without a deadline is refused instead of waiting for itself", async () => {
  let refusal: unknown;
  await insideTurnAgent(
    {
      beforeTurn: async (_context, agent) => {
        refusal = await agent.stable().catch((error: unknown) => error);
      },
    },
    async (agent) => {
      await agent.saveMessages([userMessage("Hi")]);
    },
  );
  expect(String(refusal)).toContain("cannot be called from inside an active turn");
});
