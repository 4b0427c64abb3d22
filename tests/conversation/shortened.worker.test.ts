import type { CompactionFunction } from "agents/sessions";
import { tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { callTool, text } from "../../src/testing/index.ts";
import { memory, said } from "../support/memory.ts";
import { publishedBy } from "../support/telemetry.ts";

const noop = tool({ inputSchema: z.object({}), execute: () => "done" });

const summary =
  (words: string): CompactionFunction =>
  async (messages) => ({ fromMessageId: messages[0]!.id, toMessageId: messages[2]!.id, summary: words });

test.each([
  ["no function", undefined, false],
  ["a summary", summary("short"), true],
  ["a summary that is longer than what it covers", summary("long ".repeat(2_000)), false],
  ["a function that finds nothing to do", async () => null, false],
  ["a function that fails", () => Promise.reject(new Error("no model")), false],
] as [string, CompactionFunction | undefined, boolean][])(
  "W20, L63: with %s, the overflow guard hears whether anything got shorter, and the turn goes on",
  async (_, compact, shortened) => {
    const agent = await memory({
      // The scripted model reports ten tokens for each step.
      fields: { contextOverflow: { proactive: { maxInputTokens: 10 } } },
      session: (session) => (compact ? session.onCompaction(compact) : session),
      tools: { noop },
      script: ({ index }) => (index === 0 ? callTool("noop", {}) : text("finished")),
    });
    await agent.in(async ({ session }) => {
      for (let n = 1; n <= 4; n++) await session.appendMessage(said(n % 2 ? "user" : "assistant", "words ".repeat(50)));
    });
    await agent.ask("go on");
    expect(publishedBy(agent.name).filter(({ type }) => type === "chat:context:compacted")).toMatchObject([
      { payload: { reason: "proactive", shortened } },
    ]);
    expect(await agent.in((self) => self.messages.at(-1)?.parts.at(-1))).toMatchObject({ text: "finished" });
  },
);
