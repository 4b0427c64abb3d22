import { tool } from "ai";
import { z } from "zod";
import { expect, test } from "vitest";
import type { ContextOverflowConfig } from "../../src/index.ts";
import { type Reply, callTool, stall, streamError, text } from "../../src/testing/index.ts";
import { type AgentClient, crash, freshAgent, restart } from "../support/agents.ts";
import { eventTypes, modelCalled, transcript } from "../support/observe.ts";
import { replies } from "../support/scripts.ts";
import { asked, finalAnswer, outputDigest, promptOf, promptTurn, stored, TOOL } from "../support/structured-turn.ts";
import { modelCallsOf, setUp, userMessage } from "../support/test-agent.ts";
import type { TurnAgent } from "../support/turn-agent.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { inTurn } from "../support/turn-probes.ts";

type Client = AgentClient & Pick<TurnAgent, "_thinklog_submitPrompt" | "auditPayload">;

/** A model that calls the tool, in an object that dies before the stream is at its end. */
const diesAnswering = (): Reply => ({ steps: [...finalAnswer({ title: "lost" }).steps.slice(0, 1), ...stall().steps] });

const setUpNothing = (name: string, first: Reply, then: Reply): void =>
  setUp(name, { script: replies(first, then), tools: {} });

async function outputOf(agent: Client, submissionId: string): Promise<unknown> {
  const digest = await outputDigest(agent, submissionId);
  return digest === undefined ? undefined : agent.auditPayload(digest);
}

test.for([
  ["in its final answer", diesAnswering],
  ["in its words", () => stall("half")],
] as const)(
  "W-23: a turn whose object dies %s is asked for the same again, and gives its output",
  async ([, first]) => {
    const { name, agent } = await freshAgent("structured");
    setUpNothing(name, first(), finalAnswer({ title: "Tide" }));
    const { submissionId } = await (agent as Client)._thinklog_submitPrompt(promptOf());
    await modelCalled(name, 1);
    const next = (await crash(agent)) as Client;
    expect(await next.waitForSubmission(submissionId)).toMatchObject({ status: "completed" });
    expect(await outputOf(next, submissionId)).toEqual({ title: "Tide" });
    expect(modelCallsOf(name)).toBe(2);
    expect(await stored(next)).toEqual(["user: text"]);
    expect(await eventTypes(next, submissionId)).toContain("AttemptInterrupted");
  },
);

test("W-23: a recovered turn that ends in prose is the same error as one that was never interrupted", async () => {
  const { name, agent } = await freshAgent("structured");
  setUpNothing(name, diesAnswering(), text("I would rather talk"));
  const { submissionId } = await (agent as Client)._thinklog_submitPrompt(promptOf());
  await modelCalled(name, 1);
  const next = (await crash(agent)) as Client;
  expect(await next.waitForSubmission(submissionId)).toMatchObject({
    status: "error",
    error: `Model ended the turn without calling the ${TOOL} tool`,
  });
  expect(await transcript(next)).toEqual(["user: Please summarise", "assistant: I would rather talk"]);
});

test("W-23: an output is there after a restart", async () => {
  const { name, agent } = await freshAgent("structured");
  setUpNothing(name, finalAnswer({ title: "Tide" }), text("Hello"));
  const { submissionId } = await promptTurn(agent as Client);
  await restart(agent);
  expect(await outputOf(agent as Client, submissionId)).toEqual({ title: "Tide" });
});

test("W-23: a structured turn behind others, and an ordinary one behind it, are what they were submitted as", async () => {
  const { name, agent } = await freshAgent("structured");
  setUp(name, { script: replies(text("first"), finalAnswer({ title: "Tide" }), text("last")), tools: {} });
  await agent.submitMessages([userMessage("one")], { submissionId: "s1" });
  const { submissionId } = await (agent as Client)._thinklog_submitPrompt(promptOf());
  await agent.submitMessages([userMessage("two")], { submissionId: "s2" });
  expect(await agent.waitForSubmission("s2")).toMatchObject({ status: "completed" });
  expect(await outputOf(agent as Client, submissionId)).toEqual({ title: "Tide" });
  expect(await transcript(agent)).toEqual([
    "user: one",
    "assistant: first",
    "user: Please summarise",
    "user: two",
    "assistant: last",
  ]);
});

/** An agent that summarises the two oldest messages when it must. */
const compacting =
  (contextOverflow: ContextOverflowConfig) =>
  (agent: TurnAgent): void => {
    agent.contextOverflow = contextOverflow;
    agent.session.onCompaction(async ([first, second]) =>
      first && second ? { fromMessageId: first.id, toMessageId: second.id, summary: "so far" } : null,
    );
  };

/** Two messages that are worth a summary. */
const seed = (agent: TurnAgent): Promise<void> =>
  agent.addMessages([
    userMessage(`question ${"long ".repeat(100)}`, "u0"),
    { id: "a0", role: "assistant", parts: [{ type: "text", text: `answer ${"long ".repeat(100)}` }] },
  ]);

test("a structured turn that was too long is compacted and asked for its final answer again", async () => {
  const script = inTurn(streamError("prompt is too long"), finalAnswer({ title: "Tide" }));
  await insideTurnAgent({ script, configure: compacting({ reactive: true }) }, async (agent) => {
    await seed(agent);
    expect(await promptTurn(agent)).toMatchObject({ status: "completed", output: { title: "Tide" } });
    expect(asked(agent)).toMatchObject([
      { tools: [TOOL], choice: TOOL },
      { tools: [TOOL], choice: TOOL },
    ]);
  });
});

test("a structured turn that is compacted between its steps keeps its tool", async () => {
  const search = tool({ inputSchema: z.object({}), execute: () => "found" });
  const script = inTurn(callTool("search", {}), finalAnswer({ title: "Tide" }));
  const configure = compacting({ proactive: { maxInputTokens: 10 } });
  await insideTurnAgent({ script, tools: { search }, configure }, async (agent) => {
    await seed(agent);
    expect(await promptTurn(agent)).toMatchObject({ status: "completed", output: { title: "Tide" } });
    expect(JSON.stringify(agent.model.calls[1]?.prompt)).toContain("so far");
    expect(asked(agent)[1]?.tools).toEqual(["search", TOOL]);
  });
});
