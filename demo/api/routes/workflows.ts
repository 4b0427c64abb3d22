// Workflows: start, list, look at one with everything around it, decide for a person.
import { agentOf, opened } from "../agent.ts";
import { reasonBody, workflowBody } from "../input.ts";
import { readBody } from "../parse.ts";
import type { Route, RouteInput } from "../router.ts";

export const workflowRoutes: Route[] = [
  {
    method: "POST",
    path: "/api/:agent/workflows",
    handle: async (input) => {
      const request = await readBody(input.request, workflowBody);
      const agent = await agentOf(input);
      return Response.json(opened(await agent.startWorkflow(request)), { status: 202 });
    },
  },
  {
    method: "GET",
    path: "/api/:agent/workflows",
    handle: async (input) => {
      const agent = await agentOf(input);
      return Response.json({ workflows: opened(await agent.workflows()) });
    },
  },
  {
    method: "GET",
    path: "/api/:agent/workflows/:id",
    handle: async (input) => {
      const agent = await agentOf(input);
      return Response.json(opened(await agent.workflow(input.params.id ?? "")));
    },
  },
  { method: "POST", path: "/api/:agent/workflows/:id/approve", handle: (input) => decide(input, true) },
  { method: "POST", path: "/api/:agent/workflows/:id/reject", handle: (input) => decide(input, false) },
];

async function decide(input: RouteInput, approved: boolean): Promise<Response> {
  const { reason } = await readBody(input.request, reasonBody);
  const agent = await agentOf(input);
  const { workflowId } = opened(await agent.decide(input.params.id ?? "", approved, reason?.trim() || undefined));
  return Response.json({ workflowId, approved });
}
