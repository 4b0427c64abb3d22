import { env } from "cloudflare:workers";
import { getAgentByName } from "agents";
import { tool } from "ai";
import { z } from "zod";
import { expect, test } from "vitest";
import type { SaveMessagesResult } from "../../src/index.ts";
import { callTool, text } from "../../src/testing/index.ts";
import { userMessage } from "../support/test-agent.ts";
import { setUpTurns, type TurnAgent } from "../support/turn-agent.ts";

type Caller = Pick<TurnAgent, "saveMessages" | "getMessages">;

const agentNamed = async (name: string): Promise<Caller> =>
  (await getAgentByName((env as unknown as { TurnAgent: never }).TurnAgent, name)) as unknown as Caller;

/** Two agents; each asks the other from inside its turn and waits. */
async function asksAsked(pass: boolean) {
  const [a, b] = [`cycle-a-${crypto.randomUUID()}`, `cycle-b-${crypto.randomUUID()}`];
  const outcomes: unknown[] = [];
  const asking = (other: string) => {
    let calls = 0;
    return {
      script: () => (calls++ === 0 ? callTool("ask", {}) : text("done")),
      configure: (agent: TurnAgent) => {
        setUpTurns(agent.name, {
          tools: {
            ask: tool({
              inputSchema: z.object({}),
              execute: async (): Promise<string> => {
                const stub = await agentNamed(other);
                const options = pass ? { calledFrom: [...agent.callChain] } : {};
                const answer: SaveMessagesResult | Error = await stub
                  .saveMessages([userMessage("?")], options)
                  .catch((error: Error) => error);
                outcomes.push(answer);
                return answer instanceof Error ? answer.message : answer.status;
              },
            }),
          },
        });
      },
    };
  };
  setUpTurns(a, asking(b));
  setUpTurns(b, asking(a));
  return { first: await agentNamed(a), outcomes };
}

test("T-57: a cycle A→B→A is refused with a clear error, and both turns end", async () => {
  const { first, outcomes } = await asksAsked(true);
  expect(await first.saveMessages([userMessage("go")])).toMatchObject({ status: "completed" });
  expect(outcomes.map(String)[0]).toContain("This call would wait for itself");
  expect(outcomes[1]).toMatchObject({ status: "completed" });
});
