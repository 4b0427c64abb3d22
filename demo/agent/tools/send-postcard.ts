// A tool that a person must permit first: what is sent cannot be called back.
import { tool } from "ai";
import { z } from "zod";

export const sendPostcard = tool({
  description: "Send a postcard to somebody. A person is asked first.",
  inputSchema: z.object({ to: z.string().min(1).max(80), text: z.string().min(1).max(300) }),
  needsApproval: true,
  execute: ({ to }) => ({ to, summary: `The postcard to ${to} is on its way.` }),
});
