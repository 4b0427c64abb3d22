// What the agent does by the clock: on, off, and what became of it.
import { agentOf, opened } from "../agent.ts";
import { schedulesBody } from "../input.ts";
import { readBody } from "../parse.ts";
import type { Route } from "../router.ts";

const path = "/api/:agent/schedules";

export const scheduleRoutes: Route[] = [
  {
    method: "GET",
    path,
    handle: async (input) => {
      const agent = await agentOf(input);
      return Response.json(opened(await agent.schedules()));
    },
  },
  {
    method: "POST",
    path,
    handle: async (input) => {
      const { on } = await readBody(input.request, schedulesBody);
      const agent = await agentOf(input);
      return Response.json(opened(await agent.turnSchedules(on)));
    },
  },
];
