import { expect, test } from "vitest";
import { textAround } from "../../src/testing/index.ts";
import { userMessage } from "../support/test-agent.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";

test("an answer stays on its own branch when somebody goes to another one while it streams", async () => {
  const gate = Promise.withResolvers<void>();
  const streaming = Promise.withResolvers<void>();
  await insideTurnAgent(
    {
      script: () => textAround("half", gate.promise, " and whole"),
      onChunk: () => streaming.resolve(),
    },
    async (agent) => {
      await agent.addMessages([userMessage("root", "root")]);
      const turn = agent.saveMessages([userMessage("question", "question")]);
      await streaming.promise;
      await agent.session.setActiveLeaf("root");
      gate.resolve();
      expect(await turn).toMatchObject({ status: "completed" });

      const answers = await agent.session.getBranches("question");
      expect(answers.map(({ role }) => role)).toEqual(["assistant"]);
    },
  );
});

test("the next turn begins after the compaction that the last answer set off", async () => {
  const compacted = Promise.withResolvers<void>();
  await insideTurnAgent(
    {
      configure: (agent) => {
        agent.session.onCompaction(async (messages) => {
          await compacted.promise;
          const [first] = messages;
          return first ? { fromMessageId: first.id, toMessageId: first.id, summary: "what was said" } : null;
        });
        agent.session.compactAfter(5);
      },
      beforeTurn: ({ messages }) => void seen.push(JSON.stringify(messages)),
    },
    async (agent) => {
      const first = agent.saveMessages([userMessage("a long question with many words in it", "first")]);
      const second = agent.saveMessages([userMessage("and a second one")]);
      compacted.resolve();
      await Promise.all([first, second]);
    },
  );
  expect(seen.at(-1)).toContain("what was said");
});

const seen: string[] = [];
