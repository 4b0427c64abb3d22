// The log: its events from a position on, and the check of its chain.
import { agentOf, opened } from "../agent.ts";
import { defined } from "../defined.ts";
import { eventsQuery } from "../input.ts";
import { readQuery } from "../parse.ts";
import type { Route } from "../router.ts";

export const logRoutes: Route[] = [
  {
    method: "GET",
    path: "/api/:agent/events",
    handle: async (input) => {
      const { after, type, ...options } = readQuery(input.query, eventsQuery);
      const agent = await agentOf(input);
      const { events } = opened(
        await agent.audit(
          defined({ ...options, types: type === undefined ? undefined : [type], afterPosition: after }),
        ),
      );
      // The newest position seen so far. Given back as `after`, a poll sees each event once.
      const cursor = Math.max(after ?? 0, ...events.map((event) => event.position));
      return Response.json({ events, cursor });
    },
  },
  {
    method: "GET",
    path: "/api/:agent/payloads/:digest",
    handle: async (input) => {
      const agent = await agentOf(input);
      return Response.json({ content: opened(await agent.payload(input.params.digest ?? "")) });
    },
  },
  {
    method: "GET",
    path: "/api/:agent/verify",
    handle: async (input) => {
      const agent = await agentOf(input);
      return Response.json(opened(await agent.verify()));
    },
  },
];
