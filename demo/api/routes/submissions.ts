// Submissions: accept, list, look at, cancel, delete.
import { agentOf, opened } from "../agent.ts";
import { defined } from "../defined.ts";
import { ApiError } from "../errors.ts";
import { listQuery, reasonBody, submitBody } from "../input.ts";
import { readBody, readQuery } from "../parse.ts";
import type { Route } from "../router.ts";

export const submissionRoutes: Route[] = [
  {
    method: "POST",
    path: "/api/:agent/submissions",
    handle: async (input) => {
      const { text, ...options } = await readBody(input.request, submitBody);
      const agent = await agentOf(input);
      const receipt = opened(await agent.submit(text, defined(options)));
      return Response.json(receipt, { status: receipt.accepted ? 202 : 200 });
    },
  },
  {
    method: "GET",
    path: "/api/:agent/submissions",
    handle: async (input) => {
      const options = readQuery(input.query, listQuery, ["status"]);
      const agent = await agentOf(input);
      return Response.json({ submissions: opened(await agent.list(defined(options))) });
    },
  },
  {
    method: "GET",
    path: "/api/:agent/submissions/:id",
    handle: async (input) => {
      const id = input.params.id ?? "";
      const agent = await agentOf(input);
      return Response.json(opened(await agent.inspect(id)) ?? notFound(id));
    },
  },
  {
    method: "DELETE",
    path: "/api/:agent/submissions/:id",
    handle: async (input) => {
      const agent = await agentOf(input);
      const { submissionId } = opened(await agent.remove(input.params.id ?? ""));
      return Response.json({ deleted: true, submissionId });
    },
  },
  {
    method: "POST",
    path: "/api/:agent/submissions/:id/cancel",
    handle: async (input) => {
      const { reason } = await readBody(input.request, reasonBody);
      const id = input.params.id ?? "";
      const agent = await agentOf(input);
      const result = opened(await agent.cancel(id, reason?.trim() || undefined));
      return Response.json(result.outcome === "not_found" ? notFound(id) : result);
    },
  },
];

function notFound(id: string): never {
  throw new ApiError(404, { code: "submission-not-found", message: `There is no submission ${id}.` });
}
