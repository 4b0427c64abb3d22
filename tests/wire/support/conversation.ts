// Conversations with tool calls in every state, for examples and for properties.
import type { UIMessage } from "ai";
import * as fc from "fast-check";
import type { MessagePart } from "../../../src/wire/adapter.ts";

export const STATES = [
  "input-streaming",
  "input-available",
  "approval-requested",
  "approval-responded",
  "output-available",
  "output-error",
  "output-denied",
] as const;

/** `pick` runs in the browser, everything else on the server. */
export const isClientTool = (name: string): boolean => name === "pick";

/** A part as it is stored: states are not narrowed, as nobody narrows them in a store. */
export const call = (toolCallId: string, state: string, fields: object = {}): MessagePart =>
  ({ type: "tool-pick", toolCallId, state, input: { a: 1 }, ...fields }) as unknown as MessagePart;

export const assistant = (id: string, ...parts: MessagePart[]): UIMessage => ({ id, role: "assistant", parts });

export const text = (content: string): MessagePart => ({ type: "text", text: content });

const callPart = fc
  .record({
    name: fc.constantFrom("pick", "search"),
    dynamic: fc.boolean(),
    toolCallId: fc.constantFrom("c1", "c2", "c3"),
    state: fc.constantFrom(...STATES),
    providerExecuted: fc.constantFrom(undefined, undefined, true),
    approval: fc.constantFrom(undefined, { id: "a1" }, { id: "a1", approved: true }, { id: "a1", approved: false }),
  })
  .map(({ name, dynamic, ...part }) => {
    const type = dynamic ? { type: "dynamic-tool", toolName: name } : { type: `tool-${name}` };
    return { ...type, ...part } as unknown as MessagePart;
  });

const part = fc.oneof(callPart, fc.string().map(text), fc.constant({ type: "step-start" } as MessagePart));

export const conversations: fc.Arbitrary<UIMessage[]> = fc
  .array(
    fc.record({
      role: fc.constantFrom("user" as const, "assistant" as const, "assistant" as const, "system" as const),
      parts: fc.array(part, { maxLength: 5 }),
      metadata: fc.constantFrom(undefined, { a: 1 }, { b: 2 }, "text"),
    }),
    { maxLength: 6 },
  )
  .map((messages) => messages.map((message, index) => ({ id: `m${index}`, ...message })));
