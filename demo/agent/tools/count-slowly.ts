// A tool that takes its time, so that there is something to interrupt: cancel it, or restart the server meanwhile.
import { tool } from "ai";
import { z } from "zod";
import { pause } from "../../pause.ts";

const TICK_MS = 1_000;

export const countSlowly = tool({
  description: "Count from 1 to a number, one a second.",
  inputSchema: z.object({ to: z.number().int().min(1).max(30) }),
  execute: async ({ to }, { abortSignal = new AbortController().signal }) => {
    for (let counted = 1; counted <= to; counted += 1) await pause(TICK_MS, abortSignal);
    return { to, summary: `It counted to ${to}.` };
  },
});
