import { expect, test } from "vitest";
import { streamError } from "../../src/testing/index.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { publishedBy } from "../support/telemetry.ts";
import { heldTurn, listener } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

/** What an agent published of its turns. */
const turnEvents = (name: string) => publishedBy(name).filter(({ type }) => type.startsWith("chat:turn:"));

test("T127, L73: a turn publishes its start and its finish, once each, under its request id", async () => {
  await insideTurnAgent({}, async (agent) => {
    const { requestId } = await agent.runTurn({ input: "Hi", channel: "mail" });
    const facts = { requestId, trigger: "programmatic", admission: "queue", continuation: false, generation: 0 };
    expect(turnEvents(agent.name)).toEqual(
      [
        { type: "chat:turn:start", payload: facts },
        { type: "chat:turn:finish", payload: { ...facts, status: "completed", durationMs: expect.any(Number) } },
      ].map((event) => expect.objectContaining(event)),
    );
  });
});

test("T132: no channel is in what is published", async () => {
  await insideTurnAgent({}, async (agent) => {
    await agent.runTurn({ input: "Hi", channel: "secret-channel" });
    expect(turnEvents(agent.name)).toHaveLength(2);
    expect(JSON.stringify(publishedBy(agent.name))).not.toContain("secret-channel");
  });
});

test("T128, T129: a continuation and a chat say what they are", async () => {
  await insideTurnAgent({}, async (agent) => {
    await agent.chat("Hi", listener().callback);
    await agent.runTurn({ continuation: true });
    expect(turnEvents(agent.name).map(({ payload }) => [payload["trigger"], payload["continuation"]])).toEqual([
      ["rpc", false],
      ["rpc", false],
      ["programmatic", true],
      ["programmatic", true],
    ]);
  });
});

test("T130: a skipped empty input publishes nothing", async () => {
  await insideTurnAgent({}, async (agent) => {
    await agent.runTurn({ input: "" });
    await agent.runTurn({ mode: "stream", input: "", callback: listener().callback });
    expect(turnEvents(agent.name)).toEqual([]);
  });
});

test("T131: of turns one after the other, the pairs come one after the other", async () => {
  await insideTurnAgent({}, async (agent) => {
    const [one, two] = await Promise.all([agent.runTurn({ input: "one" }), agent.runTurn({ input: "two" })]);
    expect(turnEvents(agent.name).map(({ type, payload }) => [type, payload["requestId"]])).toEqual([
      ["chat:turn:start", one.requestId],
      ["chat:turn:finish", one.requestId],
      ["chat:turn:start", two.requestId],
      ["chat:turn:finish", two.requestId],
    ]);
  });
});

test("T140: a submission publishes its turn when it runs, not when it is accepted", async () => {
  const first = heldTurn();
  await insideTurnAgent(first, async (agent) => {
    const running = agent.saveMessages([userMessage("one")]);
    await first.reached;
    await agent.submitMessages([userMessage("two")], { submissionId: "s1" });
    expect(turnEvents(agent.name).filter(({ payload }) => payload["requestId"] === "s1")).toEqual([]);
    first.open();
    await running;
    await agent.waitForSubmission("s1");
    expect(turnEvents(agent.name).filter(({ payload }) => payload["requestId"] === "s1")).toMatchObject([
      { type: "chat:turn:start", payload: { trigger: "submission", admission: "queue" } },
      { type: "chat:turn:finish", payload: { status: "completed" } },
    ]);
  });
});

test("L73: a turn that fails, and one that is aborted, finish as such", async () => {
  const first = heldTurn();
  const script = (call: Parameters<typeof first.script>[0]) =>
    call.index === 0 ? first.script(call) : streamError("down");
  await insideTurnAgent({ ...first, script }, async (agent) => {
    const running = agent.saveMessages([userMessage("one")]);
    await first.reached;
    agent.abortAll();
    await running;
    await agent.saveMessages([userMessage("two")]);
    const finished = turnEvents(agent.name).filter(({ type }) => type === "chat:turn:finish");
    expect(finished.map(({ payload }) => payload["status"])).toEqual(["aborted", "error"]);
  });
});
