// From a request to a response: find the route, run it, turn whatever goes wrong into the API's error shape.
import type { DemoEnv } from "../env.ts";
import { errorResponse } from "./errors.ts";
import { findRoute } from "./router.ts";
import { routes } from "./routes/index.ts";

export async function handleApi(request: Request, env: DemoEnv): Promise<Response> {
  try {
    const url = new URL(request.url);
    const { route, params } = findRoute(routes, request.method, url.pathname);
    return await route.handle({ request, env, params, query: url.searchParams });
  } catch (error) {
    return errorResponse(error);
  }
}
