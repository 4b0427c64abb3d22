import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import type { TurnAgent } from "../support/turn-agent.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { listener, transcript } from "../support/turn-probes.ts";
import { userMessage } from "../support/test-agent.ts";

const cyclic = (): UIMessage => {
  const metadata: Record<string, unknown> = {};
  metadata["self"] = metadata;
  return { ...userMessage("Hi"), metadata };
};

const malformed: [string, unknown, string][] = [
  ["null", [null], "messages[0]"],
  ["a number", [42], "messages[0]"],
  ["an array in the array", [[]], "messages[0]"],
  ["a hole", [, userMessage("Hi")], "messages[0]"], // oxlint-disable-line no-sparse-arrays -- the hole is the case
  ["no id", [{ role: "user", parts: [] }], "messages[0].id"],
  ["a blank id", [{ ...userMessage("Hi"), id: " " }], "messages[0].id"],
  ["a role that does not exist", [{ ...userMessage("Hi"), role: "tool" }], "messages[0].role"],
  ["no parts", [userMessage("a"), { id: "m2", role: "user" }], "messages[1].parts"],
  ["parts that are no array", [{ ...userMessage("Hi"), parts: "Hi" }], "messages[0].parts"],
  ["a part without a type", [{ ...userMessage("Hi"), parts: [{ text: "Hi" }] }], "messages[0].parts[0].type"],
  ["a cyclic object", [cyclic()], "messages[0]"],
  ["a big integer", [{ ...userMessage("Hi"), metadata: { n: 1n } }], "messages[0]"],
  ["one id for two", [userMessage("one", "m1"), userMessage("two", "m1")], "messages[1].id"],
  ["an id that is too long", [userMessage("Hi", "i".repeat(513))], "messages[0].id"],
  ["2 MB", [userMessage("x".repeat(2_000_000))], "messages[0]"],
];

/** What a call is refused with; afterwards nothing may be stored, and the agent must answer as before. */
async function refused(call: (agent: TurnAgent) => Promise<unknown>): Promise<unknown> {
  return insideTurnAgent({}, async (agent) => {
    const refusal: unknown = await call(agent).then(
      (value) => ({ notRefused: value }),
      (error: unknown) => error,
    );
    expect(await agent.getMessages()).toEqual([]);
    expect(agent.model.calls).toHaveLength(0);
    expect(await agent.saveMessages([userMessage("fine")])).toMatchObject({ status: "completed" });
    expect(await transcript(agent)).toEqual(["user: fine", "assistant: Hello there"]);
    return refusal;
  });
}

test.each(malformed)(
  "messages with %s are refused by the field at fault, before there is a turn",
  async (_name, given, field) => {
    const messages = given as UIMessage[];
    const refusal = { name: "ThinkInputError", field };
    expect(await refused((agent) => agent.saveMessages(messages))).toMatchObject(refusal);
    expect(await refused((agent) => agent.runTurn({ input: messages }))).toMatchObject(refusal);
    expect(await refused((agent) => agent.runTurn({ mode: "submit", input: messages }))).toMatchObject(refusal);
  },
);

test.each(malformed)(
  "a function that returns %s is refused by the field at fault, and nothing is stored",
  async (_name, given, field) => {
    expect(await refused((agent) => agent.saveMessages(() => given as UIMessage[]))).toMatchObject({
      name: "ThinkInputError",
      field,
    });
  },
);

test.each([
  ["text", "Hi"],
  ["nothing", undefined],
  ["null", null],
  ["an object", {}],
])("a function that returns %s instead of messages is refused, and nothing is stored", async (_name, returned) => {
  const made = (() => returned) as unknown as () => UIMessage[];
  expect(await refused((agent) => agent.saveMessages(made))).toMatchObject({
    name: "ThinkInputError",
    field: "messages",
  });
});

test.each(malformed)("chat with %s ends with one error call", async (_name, given) => {
  const { callback, calls } = listener();
  await refused((agent) => agent.chat(given as UIMessage[], callback).then(() => undefined));
  expect(calls.map((call) => call.split(":")[0])).toEqual(["start", "error"]);
});

test.each([
  ["a number", 42],
  ["an object", {}],
])("runTurn with %s as input is refused, and nothing is stored", async (_name, input) => {
  expect(await refused((agent) => agent.runTurn({ input: input as unknown as string }))).toBeInstanceOf(Error);
});

test("a function's messages are stored as JSON says, and what it does to the conversation it got changes nothing", async () => {
  await insideTurnAgent({}, async (agent) => {
    await agent.saveMessages([userMessage("first")]);
    await agent.saveMessages((current) => {
      for (const message of current) message.parts.length = 0;
      return [{ ...userMessage("second"), metadata: { when: new Date(0) } }];
    });
    const messages = await agent.getMessages();
    expect(messages.map(({ parts }) => parts.length)).not.toContain(0);
    expect(messages[2]?.metadata).toEqual({ when: "1970-01-01T00:00:00.000Z" });
    expect(await agent.session.getHistory()).toEqual(messages);
  });
});

test.each([
  ["no object", "dry"],
  ["an array", []],
  ["null", null],
])("a body that is %s is refused, and nothing is stored", async (_name, body) => {
  const given = body as unknown as Record<string, unknown>;
  expect(await refused((agent) => agent.runTurn({ input: "Hi", body: given }))).toMatchObject({ field: "body" });
});

test("a callback without its methods is refused or fails, without a turn that nobody hears of", async () => {
  const outcome = await refused((agent) => agent.runTurn({ mode: "stream", input: "Hi", callback: {} as never }));
  expect(outcome).toBeInstanceOf(Error);
});
