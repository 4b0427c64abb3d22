// The outbox: what is still to be told to workflows, and another try for what was given up.
import { agentOf, opened } from "../agent.ts";
import { notificationsQuery, replayBody } from "../input.ts";
import { readBody, readQuery } from "../parse.ts";
import type { Route } from "../router.ts";

export const notificationRoutes: Route[] = [
  {
    method: "GET",
    path: "/api/:agent/notifications",
    handle: async (input) => {
      const { state } = readQuery(input.query, notificationsQuery);
      const agent = await agentOf(input);
      return Response.json({ notifications: opened(await agent.notifications(state)) });
    },
  },
  {
    method: "POST",
    path: "/api/:agent/notifications/replay",
    handle: async (input) => {
      const { ids } = await readBody(input.request, replayBody);
      const agent = await agentOf(input);
      return Response.json(opened(await agent.replay(ids)));
    },
  },
];
