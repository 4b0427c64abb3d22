import { expect, test, vi } from "vitest";
import { tool } from "ai";
import { z } from "zod";
import { callTool, stall, streamError, text } from "../../src/testing/index.ts";
import { freshAgent, inside } from "../support/agents.ts";
import { allEventTypes, modelCalled, transcript } from "../support/observe.ts";
import { heldReply, replies } from "../support/scripts.ts";
import { modelCallsOf, setUp, userMessage } from "../support/test-agent.ts";

test("T-23: saveMessages waits for the end of its turn, which is on record like any other", async () => {
  const { agent } = await freshAgent();
  expect(await agent.saveMessages([userMessage("Hi")])).toEqual({ requestId: expect.any(String), status: "completed" });
  expect(await transcript(agent)).toEqual(["user: Hi", "assistant: Hello there"]);
  expect(await allEventTypes(agent)).toEqual([
    "TurnSubmitted",
    "TurnClaimed",
    "MessagesApplied",
    "StepFinished",
    "TurnCompleted",
  ]);
});

test("T-19: while it waits for its slot a turn is pending in the log and its messages are not in the conversation", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  setUp(name, held);
  const first = agent.saveMessages([userMessage("A")]);
  await modelCalled(name, 1);
  const second = agent.saveMessages([userMessage("B")]);
  await vi.waitFor(async () =>
    expect((await allEventTypes(agent)).filter((t) => t === "TurnSubmitted")).toHaveLength(2),
  );
  expect(await transcript(agent)).toEqual(["user: A"]);
  held.open();
  expect(await Promise.all([first, second])).toMatchObject([{ status: "completed" }, { status: "completed" }]);
  expect(await transcript(agent)).toEqual(["user: A", "assistant: before after", "user: B", "assistant: Hello"]);
});

test("T-20: a function is called when its turn begins, with the conversation as it is then", async () => {
  const { name, agent } = await freshAgent();
  const held = heldReply();
  setUp(name, held);
  const first = agent.saveMessages([userMessage("A", "a")]);
  await modelCalled(name, 1);
  const seen: number[] = [];
  const second = inside(agent, (instance) =>
    instance.saveMessages((current) => {
      seen.push(current.length);
      return [...current, userMessage("B", "b")];
    }),
  );
  held.open();
  await Promise.all([first, second]);
  expect(seen).toEqual([2]);
  expect((await transcript(agent)).filter((line) => line.startsWith("user"))).toEqual(["user: A", "user: B"]);
});

test("T-21: without messages the model is asked about the conversation as it is", async () => {
  const { name, agent } = await freshAgent();
  await agent.addMessages([userMessage("Hi")]);
  expect(await agent.saveMessages([])).toMatchObject({ status: "completed" });
  expect(await transcript(agent)).toEqual(["user: Hi", "assistant: Hello there"]);
  expect(modelCallsOf(name)).toBe(1);
});

test("T-23: an error in the stream is a status with its text", async () => {
  const { name, agent } = await freshAgent();
  setUp(name, { script: () => streamError("provider down") });
  expect(await agent.saveMessages([userMessage("Hi")])).toMatchObject({ status: "error", error: "provider down" });
});

test("T-24: what the agent's own code throws before the model rejects the call, and the lane goes on", async () => {
  const { name, agent } = await freshAgent();
  await agent.getMessages();
  setUp(name, {
    beforeModel: () => {
      throw new Error("no model configured");
    },
  });
  const refused = inside(agent, (instance) => instance.saveMessages([userMessage("Hi")]));
  await expect(refused).rejects.toThrow("no model configured");
  const unmade = inside(agent, (instance) =>
    instance.saveMessages(() => {
      throw new Error("no messages today");
    }),
  );
  await expect(unmade).rejects.toThrow("no messages today");

  setUp(name, { beforeModel: () => {} });
  expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
  const { events } = await agent.auditLog({ types: ["TurnFailed"] });
  expect(events.map(({ data }) => (data as { error: string }).error)).toEqual([
    "no model configured",
    "no messages today",
  ]);
});

test("T-47: a turn that fails does not stop those behind it", async () => {
  const { name, agent } = await freshAgent();
  setUp(name, { script: replies(streamError("bad"), text("good")) });
  const both = await Promise.all([agent.saveMessages([userMessage("A")]), agent.saveMessages([userMessage("B")])]);
  expect(both).toMatchObject([{ status: "error" }, { status: "completed" }]);
});

test("T-70: a signal that is aborted while the turn streams stops it and keeps what was said", async () => {
  const { name, agent } = await freshAgent();
  await agent.getMessages();
  setUp(name, { script: replies(stall("half"), text("next")) });
  // Inside the object, as its own code would: a signal belongs to the object it was made in.
  let abort = (): void => {};
  const turn = inside(agent, (instance) => {
    const controller = new AbortController();
    abort = () => controller.abort(new Error("enough"));
    return instance.saveMessages([userMessage("Hi")], { signal: controller.signal });
  });
  await modelCalled(name, 1);
  // Nothing tells that the words so far have been read from the stream.
  await scheduler.wait(20);
  await inside(agent, () => abort());
  expect(await turn).toMatchObject({ status: "aborted" });
  expect(await transcript(agent)).toEqual(["user: Hi", "assistant: half"]);
  expect(await agent.saveMessages([userMessage("next")])).toMatchObject({ status: "completed" });
});

test("T-71: with a signal that is aborted already the messages are stored and the turn is aborted", async () => {
  const { agent } = await freshAgent();
  await agent.getMessages();
  const signal = AbortSignal.abort(new Error("gone"));
  const ended = await inside(agent, (instance) => instance.saveMessages([userMessage("Hi")], { signal }));
  expect(ended).toMatchObject({ status: "aborted" });
  expect(await transcript(agent)).toEqual(["user: Hi"]);
});

test("T-70: an abort after the end changes nothing", async () => {
  const { agent } = await freshAgent();
  await agent.getMessages();
  const abort = await inside(agent, async (instance) => {
    const controller = new AbortController();
    await instance.saveMessages([userMessage("Hi")], { signal: controller.signal });
    return () => controller.abort();
  });
  const before = await allEventTypes(agent);
  await inside(agent, abort);
  expect(await agent.saveMessages([userMessage("next")])).toMatchObject({ status: "completed" });
  expect((await allEventTypes(agent)).slice(0, before.length)).toEqual(before);
});

test("T-52: from inside a turn a blocking turn is refused, and addMessages is not", async () => {
  const { name, agent } = await freshAgent();
  const refused: string[] = [];
  setUp(name, {
    script: replies(callTool("nest", {}), text("done")),
    tools: (instance) => ({
      nest: tool({
        inputSchema: z.object({}),
        execute: async () => {
          await instance.saveMessages([userMessage("no")]).catch((error: Error) => refused.push(error.message));
          await instance.addMessages([userMessage("a note")]);
          return "tried";
        },
      }),
    }),
  });
  expect(await agent.saveMessages([userMessage("Hi")])).toMatchObject({ status: "completed" });
  expect(refused).toEqual([
    'Think turn admission (programmatic) cannot be called from inside an active turn; use runTurn({ mode: "submit" }) or ' +
      "addMessages() instead, and do not waitForSubmission() on it from inside the turn",
  ]);
  expect(await transcript(agent)).toContain("user: a note");
});

test("T-54: calls that are not part of a turn queue behind it", async () => {
  const { name, agent } = await freshAgent();
  setUp(name, { script: ({ index }) => text(`answer ${index}`) });
  const all = await Promise.all(["A", "B", "C"].map((content) => agent.saveMessages([userMessage(content)])));
  expect(all.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
  expect(await transcript(agent)).toEqual([
    "user: A",
    "assistant: answer 0",
    "user: B",
    "assistant: answer 1",
    "user: C",
    "assistant: answer 2",
  ]);
});
