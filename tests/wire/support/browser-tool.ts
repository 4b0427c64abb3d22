import { callTool, type Reply } from "../../../src/testing/index.ts";
import { replies } from "../../support/scripts.ts";
import { userMessage } from "../../support/test-agent.ts";
import type { WireClient } from "./client.ts";
import { clientTool } from "./tools.ts";
import { wire } from "./wire.ts";
import type { WireSetup } from "./wire-agent.ts";

/** The one tool of the browser that these tests have, a call of it, and its result. */
export const browse = clientTool("browse");
export const callOf = (toolCallId: string): Reply => callTool("browse", { page: 1 }, toolCallId);
export const resultOf = (toolCallId: string, output: unknown = "a page") => ({
  toolCallId,
  toolName: "browse",
  output,
});

/** An agent whose model has called the browser's tool, the tab that asked, and one that looks on. */
export async function called(script: WireSetup["script"], setup: Partial<WireSetup> = {}) {
  const agent = await wire({ script, ...setup });
  const [tab, other] = [await agent.connect(), await agent.connect()];
  const id = tab.request([userMessage("go", "u1")], { clientTools: [browse] });
  await Promise.all([tab.ended(id), other.ended(id)]);
  return { ...agent, tab, other, id, modelCalls: () => agent.inside(({ model }) => model.calls.length) };
}

/** A first answer that calls the browser's tool, waits, and goes on; and the tab that sees the call. */
export async function calledMidStream(rest: Reply["steps"], ...later: Reply[]) {
  const gate = Promise.withResolvers<void>();
  const first: Reply = { steps: [...callOf("c1").steps.slice(0, -1), gate.promise, ...rest] };
  const agent = await wire({ script: replies(first, ...later) });
  const tab: WireClient = await agent.connect();
  const id = tab.request([userMessage("go")], { clientTools: [browse] });
  await tab.waitFor(({ body }) => body?.includes("tool-input-available") ?? false);
  return { ...agent, tab, id, open: gate.resolve, modelCalls: () => agent.inside(({ model }) => model.calls.length) };
}

/** The calls whose results are in the last prompt. */
export const lastPromptResults = (wired: Awaited<ReturnType<typeof called>>) =>
  wired.inside(({ model }) =>
    (model.calls.at(-1)?.prompt ?? []).flatMap(({ role, content }) =>
      role === "tool" ? content.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : [])) : [],
    ),
  );
