// The agent as a whole: its conversation, and starting over.
import { agentOf, opened } from "../agent.ts";
import type { Route } from "../router.ts";

export const agentRoutes: Route[] = [
  {
    method: "GET",
    path: "/api/:agent/messages",
    handle: async (input) => {
      const agent = await agentOf(input);
      return Response.json({ messages: opened(await agent.transcript()) });
    },
  },
  {
    method: "GET",
    path: "/api/:agent/branches",
    handle: async (input) => {
      const agent = await agentOf(input);
      return Response.json({ branches: opened(await agent.branches()) });
    },
  },
  {
    method: "POST",
    path: "/api/:agent/stop",
    handle: async (input) => {
      const agent = await agentOf(input);
      opened(await agent.stop());
      return Response.json({ stopped: true });
    },
  },
  {
    method: "POST",
    path: "/api/:agent/reset",
    handle: async (input) => {
      const agent = await agentOf(input);
      opened(await agent.reset());
      return Response.json({ reset: true });
    },
  },
];
