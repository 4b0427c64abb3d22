import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { repairTranscript } from "../../src/conversation/repair.ts";
import { said } from "../support/memory.ts";

/** What is relied on of `agents/chat`: its repair is behind one function, and this holds it to its word. */

type Part = UIMessage["parts"][number];

const call = (part: Record<string, unknown>): UIMessage => ({
  id: crypto.randomUUID(),
  role: "assistant",
  parts: [{ type: "tool-lookup", toolCallId: "c1", state: "input-available", input: {}, ...part } as Part],
});

test("contract: a message without a fault keeps its identity, and only changed ones are named", () => {
  const fine = said("user", "hello");
  const open = call({});
  const { changed, removedToolCalls, toolCallIds } = repairTranscript([fine, open], { continuation: false });
  expect([changed.length, removedToolCalls, toolCallIds]).toEqual([1, 1, ["c1"]]);
  expect(changed[0]).toMatchObject({ id: open.id, parts: [{ state: "output-error" }] });
  expect(open.parts[0]).toMatchObject({ state: "input-available" });
});

test("L48, contract: a continuation leaves open what a person may still answer, and ends what nobody will", () => {
  const approval = call({ state: "approval-requested", approval: { id: "p" } });
  const client = call({ type: "tool-pick" });
  const server = call({ type: "tool-lookup" });
  const { changed } = repairTranscript([approval, client, server], {
    continuation: true,
    clientTools: new Set(["pick"]),
  });
  expect(changed.map(({ id }) => id)).toEqual([server.id]);
});

test("L48, contract: an approval that a continuation will carry out stays", () => {
  const approved = call({ state: "approval-responded", approval: { id: "p", approved: true } });
  expect(repairTranscript([approved, said("user", "x")], { continuation: true }).changed).toEqual([]);
  expect(repairTranscript([approved, said("user", "x")], { continuation: false }).changed).toHaveLength(1);
  // The last message's approval is carried out by the turn itself.
  expect(repairTranscript([approved], { continuation: false }).changed).toEqual([]);
});

test("L48, contract: a denial that nobody carried out settles as one", () => {
  const denied = call({ state: "approval-responded", approval: { id: "p", approved: false } });
  const { changed } = repairTranscript([denied, said("user", "x")], { continuation: false });
  expect(changed[0]?.parts).toMatchObject([{ state: "output-denied" }]);
});

test("a message found in order is not looked at again", () => {
  const settled = call({ state: "output-available", output: 7 });
  repairTranscript([settled], { continuation: false });
  let looked = 0;
  const watched = new Proxy(settled, {
    get: (target, key) => {
      if (key === "parts") looked += 1;
      return Reflect.get(target, key) as unknown;
    },
  });
  repairTranscript([watched], { continuation: false });
  const first = looked;
  repairTranscript([watched], { continuation: false });
  expect([first > 0, looked]).toEqual([true, first]);
});
