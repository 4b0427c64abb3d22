import { tool } from "ai";
import { z } from "zod";
import { expect, test } from "vitest";
import { callTool, streamError, text } from "../../src/testing/index.ts";
import { asked, finalAnswer, promptTurn, SCHEMA, TOOL } from "../support/structured-turn.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { callTools, eventsOf, inTurn, textOf } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

const search = () => tool({ inputSchema: z.object({}), execute: () => "found" });

test("W-14 W-20: a workflow's prompt ends with the input of the final-answer tool as its output", async () => {
  await insideTurnAgent({ script: () => finalAnswer({ title: "Tide" }) }, async (agent) => {
    const { status, output, submissionId } = await promptTurn(agent);
    expect({ status, output }).toEqual({ status: "completed", output: { title: "Tide" } });
    const [offered] = agent.model.doStreamCalls[0]?.tools ?? [];
    expect(offered).toMatchObject({ name: TOOL, inputSchema: SCHEMA });
    expect(agent.model.calls).toHaveLength(1);
    expect((await eventsOf(agent, submissionId)).slice(-2)).toEqual(["TurnCompleted", "NotificationQueued"]);
    expect(await agent.verifyLog()).toMatchObject({ ok: true });
  });
});

test("W-13: what public metadata or a body says of a workflow makes no structured turn", async () => {
  const forged = { name: "REPORT", id: "w1", stepName: "s", eventType: "e", output: SCHEMA, schema: SCHEMA };
  await insideTurnAgent({}, async (agent) => {
    await agent.submitMessages([userMessage("Hi")], {
      submissionId: "s1",
      metadata: { origin: { kind: "workflow", ...forged }, __thinkWorkflowPrompt: forged },
    });
    expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
    expect(asked(agent)).toEqual([expect.objectContaining({ tools: [] })]);
    expect(await eventsOf(agent, "s1")).not.toContain("NotificationQueued");
  });
});

test("W-14: the tool gets a number when an agent has one of that name, and only its own calls count", async () => {
  const tools = { [TOOL]: search(), [`${TOOL}_1`]: search() };
  const script = inTurn(callTool(TOOL, {}), finalAnswer({ title: "mine" }, `${TOOL}_2`));
  await insideTurnAgent({ script, tools }, async (agent) => {
    expect(await promptTurn(agent)).toMatchObject({ status: "completed", output: { title: "mine" } });
    expect(asked(agent)[0]?.tools).toEqual([TOOL, `${TOOL}_1`, `${TOOL}_2`]);
  });
});

test("W-14: tool hooks never see the tool, step and chunk hooks do", async () => {
  const seen: string[] = [];
  await insideTurnAgent(
    {
      script: inTurn(callTool("search", {}), finalAnswer({ title: "Tide" })),
      tools: { search: search() },
      beforeToolCall: ({ toolName }) => void seen.push(`before ${toolName}`),
      afterToolCall: ({ toolName }) => void seen.push(`after ${toolName}`),
      onStepEnd: ({ toolCalls }) => void seen.push(...toolCalls.map(({ toolName }) => `step ${toolName}`)),
      onChunk: ({ chunk }) => void (chunk.type === "tool-call" && seen.push(`chunk ${chunk.toolName}`)),
    },
    async (agent) => {
      expect(await promptTurn(agent)).toMatchObject({ status: "completed" });
    },
  );
  expect(seen.toSorted()).toEqual([
    "after search",
    "before search",
    "chunk search",
    `chunk ${TOOL}`,
    "step search",
    `step ${TOOL}`,
  ]);
});

test("W-15: the system text asks for the tool, after whatever the agent says", async () => {
  const script = () => finalAnswer({ title: "Tide" });
  await insideTurnAgent({ script, beforeTurn: () => ({ instructions: "Be brief." }) }, async (agent) => {
    await promptTurn(agent);
    const { system } = asked(agent)[0] ?? {};
    expect(system).toMatch(/^Be brief\.\n\n/);
    expect(system).toContain(`"${TOOL}" exactly once`);
  });
});

test.each([
  ["some tool is required when the agent has tools", { search: search() }, undefined, "required"],
  ["the final answer is required when it has none", {}, undefined, TOOL],
  ["what beforeTurn says wins", { search: search() }, "auto" as const, "auto"],
])("W-16: %s", async (_name, tools, toolChoice, choice) => {
  const script = () => finalAnswer({ title: "Tide" });
  await insideTurnAgent({ script, tools, beforeTurn: () => ({ toolChoice }) }, async (agent) => {
    expect(await promptTurn(agent)).toMatchObject({ status: "completed" });
    expect(asked(agent)[0]?.choice).toBe(choice);
  });
});

test("W-17: an active list, of the turn or of a step, gets the tool as well", async () => {
  await insideTurnAgent(
    {
      script: inTurn(callTool("search", {}), callTool("search", {}), finalAnswer({ title: "Tide" })),
      tools: { search: search(), other: search() },
      beforeTurn: () => ({ activeTools: ["search"] }),
      beforeStep: ({ stepNumber }) => (stepNumber === 1 ? { activeTools: ["other"] } : undefined),
    },
    async (agent) => {
      expect(await promptTurn(agent)).toMatchObject({ status: "completed" });
      expect(asked(agent).map(({ tools }) => tools)).toEqual([
        ["search", TOOL],
        ["other", TOOL],
        ["search", TOOL],
      ]);
    },
  );
});

test("W-18 W-20: the turn stops with the step that calls the tool; its last call counts", async () => {
  const answers = callTools(callTool("search", {}), finalAnswer({ title: "one" }), {
    steps: callTool(TOOL, { title: "two" }, "again").steps,
  });
  await insideTurnAgent({ script: () => answers, tools: { search: search() } }, async (agent) => {
    expect(await promptTurn(agent)).toMatchObject({ status: "completed", output: { title: "two" } });
    expect(agent.model.calls).toHaveLength(1);
  });
});

test("W-18: the agent's own stop condition still stops the turn", async () => {
  await insideTurnAgent(
    {
      script: () => callTool("search", {}),
      tools: { search: search() },
      beforeTurn: () => ({ stopWhen: ({ steps }) => steps.length === 2 }),
    },
    async (agent) => {
      expect(await promptTurn(agent)).toMatchObject({ status: "error" });
      expect(agent.model.calls).toHaveLength(2);
    },
  );
});

test.each([
  ["beforeTurn.maxSteps", 9, { maxSteps: 2 }],
  ["maxSteps of the agent", 2, {}],
])("W-19: the last step that %s permits can only be the final answer", async (_name, maxSteps, config) => {
  await insideTurnAgent(
    {
      script: inTurn(callTool("search", {}), finalAnswer({ title: "Tide" })),
      tools: { search: search() },
      beforeTurn: () => config,
      configure: (agent) => void (agent.maxSteps = maxSteps),
    },
    async (agent) => {
      expect(await promptTurn(agent)).toMatchObject({ status: "completed", output: { title: "Tide" } });
      expect(asked(agent)).toMatchObject([
        { tools: ["search", TOOL], choice: "required" },
        { tools: [TOOL], choice: TOOL },
      ]);
    },
  );
});

test("W-19: with one step there is no other tool; what beforeStep chooses wins", async () => {
  const script = () => finalAnswer({ title: "Tide" });
  const setup = { script, tools: { search: search() }, beforeTurn: () => ({ maxSteps: 1 }) };
  await insideTurnAgent(setup, async (agent) => {
    await promptTurn(agent);
    expect(asked(agent)).toMatchObject([{ tools: [TOOL], choice: TOOL }]);
  });
  await insideTurnAgent({ ...setup, beforeStep: () => ({ toolChoice: "auto" }) }, async (agent) => {
    await promptTurn(agent);
    expect(asked(agent)).toMatchObject([{ tools: ["search", TOOL], choice: "auto" }]);
  });
});

const NEVER_CALLED = `Model ended the turn without calling the ${TOOL} tool`;

test.each([
  ["stop", text('{"title":"Tide"}')],
  ["tool-calls with no call", { steps: callTools(text('{"title":"Tide"}'), callTool("x", {})).steps.filter(notCall) }],
])("FR-31 W-20: prose is no answer, whatever it says; it stays for whoever looks (%s)", async (_name, reply) => {
  await insideTurnAgent({ script: () => reply }, async (agent) => {
    expect(await promptTurn(agent)).toMatchObject({ status: "error", error: NEVER_CALLED, output: undefined });
    expect(textOf((await agent.getMessages()).at(-1))).toBe('{"title":"Tide"}');
    expect(agent.model.calls).toHaveLength(1);
  });
});

test("W-20: tools that were called are no answer, when the model ends in prose", async () => {
  const script = inTurn(callTool("search", {}), text("done"));
  await insideTurnAgent({ script, tools: { search: search() } }, async (agent) => {
    expect(await promptTurn(agent)).toMatchObject({ status: "error", error: NEVER_CALLED });
    expect(textOf((await agent.getMessages()).at(-1))).toBe("done");
  });
});

test("W-20: a stream that fails after the call fails the turn: what is not whole is no output", async () => {
  const reply = { steps: [...finalAnswer({ title: "Tide" }).steps.slice(0, 1), ...streamError("boom").steps] };
  await insideTurnAgent({ script: () => reply }, async (agent) => {
    expect(await promptTurn(agent)).toMatchObject({ status: "error", error: "boom", output: undefined });
  });
});

function notCall(step: unknown): boolean {
  return !(typeof step === "object" && step !== null && "toolName" in step);
}
