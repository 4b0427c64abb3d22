import { expect, test, vi } from "vitest";
import { text } from "../../src/testing/index.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { eventsOf, heldTurn, listener, transcript } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

test("T-70, T106, T109: a signal that never fires, or fires after the end, changes nothing", async () => {
  await insideTurnAgent({}, async (agent) => {
    const abort = new AbortController();
    const added = vi.spyOn(abort.signal, "addEventListener");
    const removed = vi.spyOn(abort.signal, "removeEventListener");
    const result = await agent.saveMessages([userMessage("Hi")], { signal: abort.signal });
    expect(result).toMatchObject({ status: "completed" });
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
    abort.abort();
    expect(await eventsOf(agent, result.requestId)).not.toContain("TurnAborted");
    expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
    expect(await transcript(agent)).toHaveLength(4);
  });
});

test.each([
  ["an array", [userMessage("Hi")]],
  ["a function", () => [userMessage("Hi")]],
  ["an async function", async () => [userMessage("Hi")]],
])(
  "T-71, T107: with a signal that fired before, %s of messages is stored and the turn is aborted",
  async (_name, input) => {
    await insideTurnAgent({}, async (agent) => {
      const result = await agent.saveMessages(input, { signal: AbortSignal.abort(new Error("too late")) });
      expect(result).toEqual({ requestId: expect.stringMatching(/.+/), status: "aborted" });
      expect(await transcript(agent)).toEqual(["user: Hi"]);
      const { events } = await agent.auditLog({ types: ["TurnAborted"] });
      expect(events).toMatchObject([{ data: { error: "too late", messagesApplied: true } }]);
    });
  },
);

test("T-72, T108, T29, T69: aborted in the stream, the part is stored and the response hook hears of it", async () => {
  const responses: unknown[] = [];
  const first = heldTurn();
  const onChatResponse = (result: unknown) => void responses.push(result);
  await insideTurnAgent({ ...first, onChatResponse }, async (agent) => {
    const abort = new AbortController();
    const running = agent.saveMessages([userMessage("Hi")], { signal: abort.signal });
    await first.reached;
    abort.abort(new Error("enough"));
    const { requestId, status } = await running;
    expect(status).toBe("aborted");
    expect(await transcript(agent)).toEqual(["user: Hi", "assistant: half"]);
    const message = (await agent.getMessages()).at(-1);
    expect(responses).toEqual([{ requestId, status: "aborted", error: "enough", continuation: false, message }]);
  });
});

test("T-70, T112, T30: the model gets the abort, and the next turn completes", async () => {
  const first = heldTurn();
  await insideTurnAgent(first, async (agent) => {
    const abort = new AbortController();
    const running = agent.saveMessages([userMessage("Hi")], { signal: abort.signal });
    await first.reached;
    abort.abort(new Error("enough"));
    await running;
    expect(agent.model.calls[0]?.signal?.aborted).toBe(true);
    expect(await agent.saveMessages([userMessage("again")])).toMatchObject({ status: "completed" });
  });
});

test("T-73, T110: abortAllRequests and cancelAllChats end what runs and leave what waits", async () => {
  for (const method of ["abortAll", "cancelAllChats"] as const) {
    const first = heldTurn();
    await insideTurnAgent(first, async (agent) => {
      const running = agent.saveMessages([userMessage("one")]);
      await first.reached;
      const waiting = agent.saveMessages([userMessage("two")]);
      agent[method]();
      expect(await running).toMatchObject({ status: "aborted" });
      expect(await waiting).toMatchObject({ status: "completed" });
      expect(await transcript(agent)).toEqual(["user: one", "assistant: half", "user: two", "assistant: next"]);
      agent[method]();
      expect(await agent.saveMessages([userMessage("three")])).toMatchObject({ status: "completed" });
    });
  }
});

test("T-73: an unknown or ended id is ignored", async () => {
  await insideTurnAgent({}, async (agent) => {
    const { requestId } = await agent.saveMessages([userMessage("Hi")]);
    agent.abortOne("nobody");
    agent.cancelChat(requestId, "late");
    agent.cancelChat("", "blank");
    expect(await eventsOf(agent, requestId)).not.toContain("TurnAborted");
  });
});

test("T-69, K-18: a turn that waits can be ended by its id: it never begins, and nothing of it is stored", async () => {
  const first = heldTurn();
  await insideTurnAgent(first, async (agent) => {
    const running = agent.saveMessages([userMessage("one")]);
    await first.reached;
    let id = "";
    const waiting = listener({ onStart: ({ requestId }) => void (id = requestId) });
    const chat = agent.chat("two", waiting.callback);
    await vi.waitFor(async () => expect(await eventsOf(agent, id)).toEqual(["TurnSubmitted"]));
    agent.abortOne(id, new Error("changed my mind"));
    await chat;
    expect(waiting.calls).toEqual(["start", "error: changed my mind"]);
    first.open();
    expect(await running).toMatchObject({ status: "completed" });
    expect(await transcript(agent)).toEqual(["user: one", "assistant: half whole"]);
    expect(await eventsOf(agent, id)).toEqual(["TurnSubmitted", "TurnAborted"]);
  });
});

test("the first reason wins, and a late end of the model does not change it", async () => {
  const first = heldTurn();
  await insideTurnAgent(first, async (agent) => {
    let id = "";
    const { callback, calls } = listener({ onStart: ({ requestId }) => void (id = requestId) });
    const chat = agent.chat("Hi", callback);
    await first.reached;
    agent.cancelChat(id, "first");
    agent.cancelChat(id, "second");
    first.open();
    await chat;
    expect(calls).toEqual(["start", "error: first"]);
    const { events } = await agent.auditLog({ submissionId: id, types: ["TurnAborted"] });
    expect(events).toMatchObject([{ data: { error: "first" } }]);
  });
});

test("one signal for many turns: each is linked and let go", async () => {
  await insideTurnAgent({ script: () => text("ok") }, async (agent) => {
    const abort = new AbortController();
    const added = vi.spyOn(abort.signal, "addEventListener");
    const removed = vi.spyOn(abort.signal, "removeEventListener");
    for (let turn = 0; turn < 5; turn += 1) {
      await agent.saveMessages([userMessage(`turn ${turn}`)], { signal: abort.signal });
    }
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
    abort.abort();
    expect(await agent.saveMessages([userMessage("last")], { signal: abort.signal })).toMatchObject({
      status: "aborted",
    });
  });
});

test("a model that does not listen to the abort does not keep the lane", async () => {
  const never = new Promise<never>(() => {});
  const asked = Promise.withResolvers<void>();
  await insideTurnAgent(
    {
      script: ({ index }) => {
        if (index > 0) return text("next");
        asked.resolve();
        return never;
      },
    },
    async (agent) => {
      const running = agent.saveMessages([userMessage("one")]);
      await asked.promise;
      agent.abortAll();
      expect(await running).toMatchObject({ status: "aborted" });
      expect(await agent.saveMessages([userMessage("two")])).toMatchObject({ status: "completed" });
    },
  );
});

test("a caller's onEvent that never returns does not keep the lane once the turn is ended", async () => {
  const stuck = Promise.withResolvers<void>();
  await insideTurnAgent({}, async (agent) => {
    let id = "";
    const { callback, calls } = listener({
      onStart: ({ requestId }) => void (id = requestId),
      onEvent: () => {
        stuck.resolve();
        return new Promise<never>(() => {});
      },
    });
    const chat = agent.chat("Hi", callback);
    await stuck.promise;
    agent.cancelChat(id, "the caller is stuck");
    await chat;
    expect(calls).toEqual(["start", "error: the caller is stuck"]);
    expect(await agent.saveMessages([userMessage("two")])).toMatchObject({ status: "completed" });
  });
});
