import { expect, test, vi } from "vitest";
import { text } from "../../src/testing/index.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { eventsOf, heldTurn, inTurn, listener, transcript } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

test("T-47, T-54, T150: turns run one at a time in the order they came, whatever kind they are", async () => {
  let active = 0;
  let most = 0;
  await insideTurnAgent(
    {
      script: ({ index }) => {
        active += 1;
        most = Math.max(most, active);
        return text(`answer ${index}`);
      },
      onStepEnd: () => void (active -= 1),
    },
    async (agent) => {
      const { callback, calls } = listener();
      const submission = { submissionId: "s1" };
      await Promise.all([
        agent.saveMessages([userMessage("one")]),
        agent.runTurn({ input: "two" }),
        agent.submitMessages([userMessage("three")], submission),
        agent.saveMessages((current) => [userMessage(`four of ${current.length}`)]),
        agent.chat("five", callback),
        agent.waitForSubmission("s1").catch(() => null),
      ]);
      expect(await transcript(agent)).toEqual([
        "user: one",
        "assistant: answer 0",
        "user: two",
        "assistant: answer 1",
        "user: three",
        "assistant: answer 2",
        "user: four of 6",
        "assistant: answer 3",
        "user: five",
        "assistant: answer 4",
      ]);
      expect(calls).toEqual(["start", "done"]);
    },
  );
  expect(most).toBe(1);
});

test("T-47: a turn that fails does not stop those behind it, and each caller gets the end of its own", async () => {
  await insideTurnAgent({ script: ({ index }) => text(`answer ${index}`) }, async (agent) => {
    const fail = (): never => {
      throw new Error("the second fails");
    };
    const [one, two, three] = await Promise.allSettled([
      agent.runTurn({ input: "one" }),
      agent.saveMessages(fail),
      agent.runTurn({ input: "three" }),
    ]);
    expect(one).toMatchObject({ status: "fulfilled", value: { message: { parts: [{}, { text: "answer 0" }] } } });
    expect(two).toEqual({ status: "rejected", reason: new Error("the second fails") });
    expect(three).toMatchObject({ status: "fulfilled", value: { message: { parts: [{}, { text: "answer 1" }] } } });
  });
});

test("T-48, T-31, T-76: a turn that waits while the lane is reset is skipped, and nothing of it runs or is stored", async () => {
  const first = heldTurn();
  const made: string[] = [];
  await insideTurnAgent(first, async (agent) => {
    const running = agent.saveMessages([userMessage("one")]);
    await first.reached;
    const waiting = [
      agent.saveMessages([userMessage("two")]),
      agent.saveMessages(() => {
        made.push("three");
        return [userMessage("three")];
      }),
      agent.runTurn({ input: "four" }),
    ];
    agent.resetTurns();
    expect(await Promise.all(waiting)).toMatchObject([
      { status: "skipped" },
      { status: "skipped" },
      { status: "skipped" },
    ]);
    expect(await running).toMatchObject({ status: "aborted" });
    expect(await transcript(agent)).toEqual(["user: one"]);
    expect(agent.model.calls).toHaveLength(1);
  });
  expect(made).toEqual([]);
});

test("T-76: the turn that streams at a reset is aborted, stores nothing more and tells no response hook", async () => {
  const responses: unknown[] = [];
  const first = heldTurn();
  await insideTurnAgent({ ...first, onChatResponse: (result) => void responses.push(result) }, async (agent) => {
    const running = agent.saveMessages([userMessage("one")]);
    await first.reached;
    agent.resetTurns();
    first.open();
    const { requestId, status } = await running;
    expect(status).toBe("aborted");
    expect(await transcript(agent)).toEqual(["user: one"]);
    expect(await eventsOf(agent, requestId)).toEqual([
      "TurnSubmitted",
      "TurnClaimed",
      "MessagesApplied",
      "TurnAborted",
    ]);
  });
  expect(responses).toEqual([]);
});

test("T-75: a reset keeps messages, skips waiting submissions, tells their hook, and the lane goes on", async () => {
  const statuses: string[] = [];
  const first = heldTurn();
  const onSubmissionStatus = ({ submissionId, status }: { submissionId: string; status: string }) =>
    void statuses.push(`${submissionId} ${status}`);
  await insideTurnAgent({ ...first, onSubmissionStatus }, async (agent) => {
    const running = agent.saveMessages([userMessage("one")]);
    await first.reached;
    await agent.submitMessages([userMessage("two")], { submissionId: "s1" });
    agent.resetTurns();
    expect(await agent.inspectSubmission("s1")).toMatchObject({
      status: "skipped",
      error: "Submission was skipped by turn reset.",
    });
    await running;
    await vi.waitFor(() => expect(statuses).toEqual(["s1 pending", "s1 skipped"]));
    expect(await agent.saveMessages([userMessage("three")])).toMatchObject({ status: "completed" });
    expect(await transcript(agent)).toEqual(["user: one", "user: three", "assistant: next"]);
  });
});

test("T-75: a reset with nothing in the lane does no harm", async () => {
  await insideTurnAgent({}, async (agent) => {
    agent.resetTurns();
    agent.resetTurns();
    expect(await agent.saveMessages([userMessage("Hi")])).toMatchObject({ status: "completed" });
  });
});

test("T-76: a turn that is reset before the model is asked is aborted, its messages stay, the model is not asked", async () => {
  const inside = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  let asked = 0;
  await insideTurnAgent(
    {
      beforeTurn: async () => {
        asked += 1;
        if (asked > 1) return;
        inside.resolve();
        await go.promise;
      },
    },
    async (agent) => {
      const running = agent.saveMessages([userMessage("one")]);
      await inside.promise;
      agent.resetTurns();
      go.resolve();
      expect(await running).toMatchObject({ status: "aborted" });
      expect(await transcript(agent)).toEqual(["user: one"]);
      expect(agent.model.calls).toHaveLength(0);
    },
  );
});

test("T-77, T6: clear ends every turn and deletes the conversation; the log stays", async () => {
  const first = heldTurn();
  await insideTurnAgent(first, async (agent) => {
    const running = agent.saveMessages([userMessage("one")]);
    await first.reached;
    const waiting = agent.saveMessages([userMessage("two")]);
    await agent.clearMessages();
    expect(await running).toMatchObject({ status: "aborted" });
    expect(await waiting).toMatchObject({ status: "skipped" });
    expect(await agent.getMessages()).toEqual([]);
    expect(await agent.session.getHistory()).toEqual([]);
    expect((await agent.auditLog({ types: ["TurnSubmitted"] })).events).toHaveLength(2);
    expect(await agent.verifyLog()).toMatchObject({ ok: true });

    await agent.saveMessages([userMessage("three")]);
    expect(await transcript(agent)).toEqual(["user: three", "assistant: next"]);
    expect(agent.model.calls.at(-1)?.prompt.map(({ role }) => role)).toEqual(["system", "user"]);
  });
});

test("T-77: a turn that is asked for right after a clear, without waiting for it, keeps its messages", async () => {
  await insideTurnAgent({ script: inTurn(text("first"), text("second")) }, async (agent) => {
    await agent.saveMessages([userMessage("one")]);
    const [, saved] = await Promise.all([agent.clearMessages(), agent.saveMessages([userMessage("two")])]);
    expect(saved).toMatchObject({ status: "completed" });
    expect(await transcript(agent)).toEqual(["user: two", "assistant: second"]);
  });
});

test("T-54: a turn asked for from a timer of an earlier turn queues; it is not taken for a nested one", async () => {
  const later = Promise.withResolvers<unknown>();
  let started = false;
  await insideTurnAgent(
    {
      beforeTurn: (_context, agent) => {
        if (started) return;
        started = true;
        void scheduler
          .wait(20)
          .then(() => agent.saveMessages([userMessage("later")]).then(later.resolve, later.reject));
      },
    },
    async (agent) => {
      expect(await agent.saveMessages([userMessage("now")])).toMatchObject({ status: "completed" });
      expect(await later.promise).toMatchObject({ status: "completed" });
    },
  );
});
