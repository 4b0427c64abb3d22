// The Worker: the HTTP API, the agents' own routes (WebSockets of `useAgent`), and the console as static assets.
import { routeAgentRequest } from "agents";
import { handleApi } from "./api/handle.ts";
import type { DemoEnv } from "./env.ts";

export { DemoAgent } from "./agent/demo-agent.ts";
export { ReviewWorkflow } from "./workflows/review.ts";
export { TriageWorkflow } from "./workflows/triage.ts";

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === "/api" || pathname.startsWith("/api/")) return handleApi(request, env);
    return (await routeAgentRequest(request, env)) ?? env.ASSETS.fetch(request);
  },
} satisfies ExportedHandler<DemoEnv>;
