import { tool } from "ai";
import { z } from "zod";
import { expect, test, vi } from "vitest";
import type { ChatResponseResult } from "../../src/index.ts";
import { callTool, text } from "../../src/testing/index.ts";
import { finalAnswer, promptOf, promptTurn, rawAnswer, stored, TOOL } from "../support/structured-turn.ts";
import type { TurnAgent } from "../support/turn-agent.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { callTools, eventsOf, inTurn, textOf, toolParts } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

const search = () => tool({ inputSchema: z.object({}), execute: () => "found" });

test("W-21: an answer that is nothing but the final answer is not stored", async () => {
  await insideTurnAgent({ script: () => finalAnswer({ title: "Tide" }) }, async (agent) => {
    const { submissionId } = await promptTurn(agent);
    expect(await stored(agent)).toEqual(["user: text"]);
    const { events } = await agent.auditLog({ submissionId, types: ["TurnCompleted"] });
    expect(events[0]?.data).not.toHaveProperty("messageId");
  });
});

test("W-21: what the model said and did besides it is stored without it", async () => {
  const script = inTurn(
    callTool("search", {}),
    callTools({ steps: [...text("Here you are").steps] }, finalAnswer({ title: "Tide" })),
  );
  await insideTurnAgent({ script, tools: { search: search() } }, async (agent) => {
    expect(await promptTurn(agent)).toMatchObject({ status: "completed", output: { title: "Tide" } });
    expect(await stored(agent)).toEqual(["user: text", "assistant: step-start, tool-search, step-start, text"]);
  });
});

test("W-21: a call with unreadable arguments, which is a dynamic part, is stripped as well", async () => {
  await insideTurnAgent({ script: () => rawAnswer("{bad json") }, async (agent) => {
    expect(await promptTurn(agent)).toMatchObject({ status: "error" });
    expect(await stored(agent)).toEqual(["user: text"]);
  });
});

test("W-21: what is kept of a cancelled turn has no piece of a final answer in it", async () => {
  const begun = Promise.withResolvers<void>();
  const script = () => ({
    steps: [
      ...text("Half of").steps.slice(0, -1),
      { type: "tool-input-start", id: "c1", toolName: TOOL } as const,
      { type: "tool-input-delta", id: "c1", delta: '{"title":' } as const,
      { type: "tool-input-delta", id: "c1", delta: '"Ti' } as const,
      new Promise<never>(() => {}),
    ],
  });
  // Called as a part is taken into the message: what came before it is in.
  const configure = (agent: TurnAgent): void => {
    agent.messageMetadata = ({ part }) => {
      if (part.type === "tool-input-delta" && part.delta === '"Ti') begun.resolve();
      return undefined;
    };
  };
  await insideTurnAgent({ script, configure }, async (agent) => {
    const { submissionId } = await agent._thinklog_submitPrompt(promptOf());
    await begun.promise;
    await agent.cancelSubmission(submissionId, "enough");
    await vi.waitFor(async () => expect(await eventsOf(agent, submissionId)).toContain("MessageLinked"));
    expect(await agent.inspectSubmission(submissionId)).toMatchObject({ status: "aborted", error: "enough" });
    expect(await stored(agent)).toEqual(["user: text", "assistant: step-start, text"]);
  });
});

test("W-22: the response hook gets the message as the model gave it", async () => {
  const heard: ChatResponseResult[] = [];
  const setup = {
    script: () => finalAnswer({ title: "Tide" }),
    onChatResponse: (told: ChatResponseResult) => void heard.push(told),
  };
  await insideTurnAgent(setup, async (agent) => {
    const { submissionId } = await promptTurn(agent);
    await agent.stable();
    expect(heard).toMatchObject([{ requestId: submissionId, status: "completed" }]);
    expect(toolParts(heard[0]?.message)).toMatchObject([{ type: `tool-${TOOL}`, input: { title: "Tide" } }]);
  });
});

test("FR-38 W-21: neither a later turn nor the model hears of a final answer, also one that an older version stored", async () => {
  const script = inTurn(finalAnswer({ title: "Tide" }), text("Hello"));
  await insideTurnAgent({ script }, async (agent) => {
    await agent.addMessages([
      userMessage("old", "u0"),
      {
        id: "a0",
        role: "assistant",
        parts: [
          { type: "text", text: "kept" },
          { type: `tool-${TOOL}`, toolCallId: "o1", state: "output-available", input: { title: "old" }, output: "ok" },
          {
            type: "dynamic-tool",
            toolName: `${TOOL}_1`,
            toolCallId: "o2",
            state: "output-available",
            input: { title: "old" },
            output: "ok",
          },
        ],
      },
    ]);
    await promptTurn(agent);
    expect((await agent.saveMessages([userMessage("Hi")])).status).toBe("completed");
    for (const { prompt } of agent.model.calls) {
      expect(JSON.stringify(prompt)).toContain("kept");
      expect(JSON.stringify(prompt.filter(({ role }) => role !== "system"))).not.toContain(TOOL);
    }
    const later = agent.model.doStreamCalls[1];
    expect(JSON.stringify(later?.prompt)).not.toContain(TOOL);
    expect(later?.tools ?? []).toEqual([]);
    expect(textOf((await agent.getMessages()).at(-1))).toBe("Hello");
  });
});

test("FR-38: the conversation goes on after a prompt whose whole answer was the final one", async () => {
  const script = inTurn(finalAnswer({ title: "one" }), finalAnswer({ title: "two" }));
  await insideTurnAgent({ script }, async (agent) => {
    expect(await promptTurn(agent, promptOf("first"))).toMatchObject({ output: { title: "one" } });
    expect(await promptTurn(agent, promptOf("second"))).toMatchObject({ output: { title: "two" } });
    expect(await stored(agent)).toEqual(["user: text", "user: text"]);
  });
});

test.each([
  ["structured", `${TOOL}_x`],
  ["structured", `${TOOL}_x_1`],
  ["ordinary", `${TOOL}_x`],
])("FR-38: a tool that could lose its calls is refused, in %s turns (%s)", async (kind, name) => {
  const tools = { [name]: search() };
  await insideTurnAgent({ tools }, async (agent) => {
    const ended =
      kind === "structured"
        ? await promptTurn(agent)
        : await agent.saveMessages([userMessage("Hi")]).catch((error: unknown) => error);
    const error = ended instanceof Error ? ended.message : (ended as { error?: string }).error;
    expect(error).toContain(`A tool must not be named "${name}": `);
    expect(agent.model.calls).toHaveLength(0);
  });
});

test("FR-38 W-21: calls of an agent's own tool of the reserved name work, and are left out of the conversation", async () => {
  const script = inTurn(callTool(TOOL, {}), text("done"));
  await insideTurnAgent({ script, tools: { [TOOL]: search() } }, async (agent) => {
    expect((await agent.saveMessages([userMessage("Hi")])).status).toBe("completed");
    expect(JSON.stringify(agent.model.calls[1]?.prompt)).toContain("found");
    expect(await stored(agent)).toEqual(["user: text", "assistant: step-start, step-start, text"]);
  });
});

test("W-22: a prompt without a schema is an ordinary turn", async () => {
  await insideTurnAgent({}, async (agent) => {
    const { schema: _, ...prompt } = promptOf();
    const { status, output } = await promptTurn(agent, prompt as ReturnType<typeof promptOf>);
    expect({ status, output }).toEqual({ status: "completed", output: undefined });
    expect(agent.model.doStreamCalls[0]?.tools ?? []).toEqual([]);
  });
});
