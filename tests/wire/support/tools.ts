import { tool } from "ai";
import { z } from "zod";

export const addTool = tool({
  description: "Adds two numbers",
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
});

export const failingTool = tool({
  description: "Always throws",
  inputSchema: z.object({}),
  execute: (): string => {
    throw new Error("it broke");
  },
});

/** A tool of the server that runs only when somebody said yes. */
export const guardedTool = (execute: (input: { path: string }) => unknown) =>
  tool({
    description: "Deletes a file",
    inputSchema: z.object({ path: z.string() }),
    needsApproval: true,
    execute,
  });

/** A tool of the browser: the model may call it, the page runs it. */
export const clientTool = (name: string) => ({
  name,
  description: `Runs ${name} in the browser`,
  parameters: { type: "object", properties: { page: { type: "number" } } },
});
