import { expect, test } from "vitest";
import type { RunTurnOptions, TurnResult } from "../../src/index.ts";
import { streamError, text } from "../../src/testing/index.ts";
import type { TurnAgent } from "../support/turn-agent.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { eventsOf, heldTurn, listener, textOf, transcript } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

/** What a call of `runTurn` with these arguments is refused with; nothing may come of it. */
async function refusalOf(options: unknown): Promise<unknown> {
  return insideTurnAgent({}, async (agent) => {
    const refusal: unknown = await (agent.runTurn as (given: unknown) => Promise<unknown>)(options).catch(
      (error: unknown) => error,
    );
    expect(await agent.getMessages()).toEqual([]);
    expect((await agent.auditLog()).events).toEqual([]);
    expect(agent.model.calls).toHaveLength(0);
    return refusal;
  });
}

const callback = { onStart: () => {}, onEvent: () => {}, onDone: () => {}, onError: () => {} };

test.each([
  ["T-1: no object", undefined, "runTurn: options must be an object"],
  ["T-1: null", null, "runTurn: options must be an object"],
  ["T-1: a text", "Hi", "runTurn: options must be an object"],
  ["T-1: an array", [], "runTurn: options must be an object"],
  ["T-2: an unknown mode", { mode: "later", input: "Hi" }, 'runTurn: mode must be "wait", "submit", or "stream"'],
  ["T-2: null as mode counts as absent, so the input is missed", { mode: null }, "supply either input or continuation"],
  [
    "T-3: a continuation to submit, before the missing input",
    { mode: "submit", continuation: true },
    'runTurn: continuation is only supported with mode: "wait"',
  ],
  [
    "T-3: a continuation to stream, before the missing callback",
    { mode: "stream", continuation: true },
    'runTurn: continuation is only supported with mode: "wait"',
  ],
  [
    "T-4: stream without callback, before the missing input",
    { mode: "stream" },
    'runTurn: mode "stream" requires callback',
  ],
  [
    "T-5: input and continuation",
    { input: "Hi", continuation: true },
    "runTurn: supply either input or continuation: true, not both",
  ],
  ["T-5: neither input nor continuation", {}, "runTurn: supply either input or continuation: true"],
  ["T-6: submit without input", { mode: "submit" }, 'runTurn: mode "submit" requires input'],
  ["T-6: stream without input", { mode: "stream", callback }, 'runTurn: mode "stream" requires input'],
])("T-8, %s: is a rejected TypeError, and nothing is stored", async (_name, options, message) => {
  const refusal = await refusalOf(options);
  expect(refusal).toBeInstanceOf(TypeError);
  expect((refusal as Error).message).toContain(message);
});

test("T-7: a function to submit is refused with its own text, and nothing is stored", async () => {
  expect(await refusalOf({ mode: "submit", input: () => [] })).toEqual(
    new Error('runTurn({ mode: "submit" }) does not support function input until _admitTurn (step 3)'),
  );
});

test("T-18: submit of empty input is refused as an empty submission, and nothing is stored", async () => {
  expect(String(await refusalOf({ mode: "submit", input: "" }))).toContain(
    "submitMessages requires at least one message",
  );
});

test("T-9, T133: text, one message and an array of messages are each taken as the turn's user messages", async () => {
  await insideTurnAgent({ script: () => text("ok") }, async (agent) => {
    await agent.runTurn({ input: "as text" });
    await agent.runTurn({ input: userMessage("as message", "m1") });
    await agent.runTurn({ input: [userMessage("first of two"), userMessage("second of two")] });
    expect(await transcript(agent)).toEqual([
      "user: as text",
      "assistant: ok",
      "user: as message",
      "assistant: ok",
      "user: first of two",
      "user: second of two",
      "assistant: ok",
    ]);
    const [asText, , asMessage] = await agent.getMessages();
    expect(asText?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(asText?.parts).toEqual([{ type: "text", text: "as text" }]);
    expect(asMessage?.id).toBe("m1");
  });
});

test.each([
  ["empty text", ""],
  ["an empty array", []],
])("T-10, T135: wait with %s is skipped: no turn, no record, nothing stored", async (_name, input) => {
  await insideTurnAgent({}, async (agent) => {
    expect(await agent.runTurn({ input })).toEqual({ requestId: "", status: "skipped", continuation: false });
    expect(await agent.getMessages()).toEqual([]);
    expect((await agent.auditLog()).events).toEqual([]);
    expect(agent.model.calls).toHaveLength(0);
  });
});

test("T-11: a function that returns nothing still has the history answered", async () => {
  await insideTurnAgent({ script: () => text("again") }, async (agent) => {
    await agent.addMessages([userMessage("Hi")]);
    expect(await agent.runTurn({ input: () => [] })).toMatchObject({ status: "completed" });
    expect(await transcript(agent)).toEqual(["user: Hi", "assistant: again"]);
  });
});

test("T-12: the message is the one this turn stored, also when a later one is stored before it is read", async () => {
  await insideTurnAgent(
    {
      script: () => text("mine"),
      onChatResponse: (_result, agent) =>
        agent.addMessages([{ id: "later", role: "assistant", parts: [{ type: "text", text: "later" }] }]),
    },
    async (agent) => {
      const result = await agent.runTurn({ input: "Hi" });
      expect(textOf(result.message)).toBe("mine");
      expect((await agent.getMessages()).at(-1)?.id).toBe("later");
    },
  );
});

test("T-12: a turn that did not complete, and one that stored nothing, carry no message", async () => {
  await insideTurnAgent(
    { script: ({ index }) => (index === 0 ? streamError("broken", "part") : text()) },
    async (agent) => {
      const failed = await agent.runTurn({ input: "Hi" });
      expect(failed).toMatchObject({ status: "error", error: "broken" });
      expect(failed).not.toHaveProperty("message");
      const empty = await agent.runTurn({ input: "Hi again" });
      expect(empty).toEqual({ requestId: empty.requestId, status: "completed", continuation: false });
    },
  );
});

test("T-14: a continuation calls the agent's own continueLastTurn and takes its result", async () => {
  await insideTurnAgent({}, async (agent) => {
    const own = { requestId: "own", status: "completed" } as const;
    Object.assign(agent, { continueLastTurn: async () => own });
    expect(await agent.runTurn({ continuation: true })).toEqual({ ...own, continuation: true });
    expect(agent.model.calls).toHaveLength(0);
  });
});

test("T-14: an override that calls the original keeps its product only under the same request id", async () => {
  await insideTurnAgent({}, async (agent) => {
    await agent.saveMessages([userMessage("Hi")]);
    const original = (agent as unknown as { continueLastTurn: () => Promise<TurnResult> }).continueLastTurn.bind(agent);
    Object.assign(agent, { continueLastTurn: () => original() });
    expect(await agent.runTurn({ continuation: true })).toHaveProperty("message");
    Object.assign(agent, { continueLastTurn: async () => ({ ...(await original()), requestId: "other" }) });
    const other = await agent.runTurn({ continuation: true });
    expect(other).toEqual({ requestId: "other", status: "completed", continuation: true });
  });
});

test("T-15: wait does not go through an overridden saveMessages; submit and stream go through their methods", async () => {
  await insideTurnAgent({}, async (agent) => {
    const through: string[] = [];
    for (const method of ["saveMessages", "submitMessages", "chat"] as const) {
      const original = agent[method].bind(agent) as (...args: unknown[]) => unknown;
      Object.assign(agent, {
        [method]: (...args: unknown[]) => {
          through.push(method);
          return original(...args);
        },
      });
    }
    const { callback: heard, calls } = listener();
    await agent.runTurn({ input: "wait" });
    await agent.runTurn({ mode: "submit", input: "submit" });
    await agent.runTurn({ mode: "stream", input: "stream", callback: heard });
    expect(through).toEqual(["submitMessages", "chat"]);
    expect(calls.at(-1)).toBe("done");
  });
});

test("T-17, T144: stream of empty input starts and is done, without a turn", async () => {
  await insideTurnAgent({}, async (agent) => {
    const { callback: heard, calls, chunks } = listener();
    expect(await agent.runTurn({ mode: "stream", input: [], callback: heard })).toBeUndefined();
    expect(calls).toEqual(["start", "done"]);
    expect(chunks).toEqual([]);
    expect((await agent.auditLog()).events).toEqual([]);
  });
});

test("T-18, T139: submit forwards id, key, metadata and channel, and is answered later", async () => {
  await insideTurnAgent({}, async (agent) => {
    const options = { submissionId: "s1", idempotencyKey: "k1", metadata: { from: "test" }, channel: "mail" };
    const receipt = await agent.runTurn({ mode: "submit", input: "Hi", ...options });
    expect(receipt).toMatchObject({
      accepted: true,
      status: "pending",
      submissionId: "s1",
      idempotencyKey: "k1",
      metadata: { from: "test" },
    });
    expect(await agent.waitForSubmission("s1")).toMatchObject({ status: "completed" });
    expect((await agent.getMessages())[0]?.metadata).toEqual({ channel: "mail" });
  });
});

test("T134: wait with a function sees the conversation as it is when the turn begins", async () => {
  const first = heldTurn();
  await insideTurnAgent(first, async (agent) => {
    const seen: string[] = [];
    const running = agent.saveMessages([userMessage("first")]);
    await first.reached;
    const waiting = agent.runTurn({
      input: (current) => {
        seen.push(...current.map(textOf));
        return [userMessage("second")];
      },
    });
    first.open();
    expect(await Promise.all([running, waiting])).toMatchObject([{ status: "completed" }, { status: "completed" }]);
    expect(seen).toEqual(["first", "half whole"]);
  });
});

test("T145, T143: stream evaluates a function inside the turn, and runs also when it returns nothing", async () => {
  await insideTurnAgent({}, async (agent) => {
    await agent.addMessages([userMessage("stored before")]);
    const sizes: number[] = [];
    const { callback: heard, calls } = listener();
    const input = (current: readonly unknown[]): [] => {
      sizes.push(current.length);
      return [];
    };
    await agent.runTurn({ mode: "stream", input, callback: heard });
    expect(sizes).toEqual([1]);
    expect(calls).toEqual(["start", "done"]);
    expect(await transcript(agent)).toEqual(["user: stored before", "assistant: Hello there"]);
  });
});

test("T142, T146: stream takes an array, and stamps the channel on each of its user messages", async () => {
  await insideTurnAgent({}, async (agent) => {
    const input = [userMessage("one"), userMessage("two")];
    await agent.runTurn({ mode: "stream", input, callback: listener().callback, channel: "voice" });
    expect((await agent.getMessages()).map(({ role, metadata }) => [role, metadata])).toEqual([
      ["user", { channel: "voice" }],
      ["user", { channel: "voice" }],
      ["assistant", undefined],
    ]);
  });
});

test("decision 2: every blocking turn is on record from its admission to its end, with trigger and channel", async () => {
  await insideTurnAgent({}, async (agent) => {
    const runs: [string, (agent: TurnAgent) => Promise<string>][] = [
      ["programmatic", async () => (await agent.runTurn({ input: "Hi", channel: "a" })).requestId],
      ["programmatic", async () => (await agent.runTurn({ continuation: true })).requestId],
      [
        "rpc",
        async () => {
          let id = "";
          await agent.chat("Hi", listener({ onStart: ({ requestId }) => void (id = requestId) }).callback, {
            channel: "a",
          });
          return id;
        },
      ],
    ];
    for (const [trigger, run] of runs) {
      const requestId = await run(agent);
      const { events } = await agent.auditLog({ submissionId: requestId });
      expect(events[0]).toMatchObject({ type: "TurnSubmitted", data: { trigger, channel: "a", turnId: requestId } });
      expect((await eventsOf(agent, requestId)).at(-1)).toBe("TurnCompleted");
    }
    expect(await agent.verifyLog()).toMatchObject({ ok: true });
  });
});

test("T-16: decision 16: the body of a turn with input reaches beforeTurn, and no later turn", async () => {
  const bodies: unknown[] = [];
  await insideTurnAgent({ beforeTurn: ({ body }) => void bodies.push(body) }, async (agent) => {
    await agent.runTurn({ input: "Hi", body: { tone: "dry" } } satisfies RunTurnOptions);
    await agent.runTurn({ input: "Hi again" });
  });
  expect(bodies).toEqual([{ tone: "dry" }, undefined]);
});
