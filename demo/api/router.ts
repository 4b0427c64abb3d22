// A router as small as the API: a table of method and path pattern, 404 for no path, 405 for a path with another method.
import type { DemoEnv } from "../env.ts";
import { ApiError, invalid } from "./errors.ts";

export type RouteInput = {
  request: Request;
  env: DemoEnv;
  /** Parts of the path named with a colon, decoded. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
};

export type Route = {
  method: "GET" | "POST" | "DELETE";
  /** For example `/api/:agent/submissions/:id`. */
  path: string;
  handle: (input: RouteInput) => Promise<Response> | Response;
};

export function findRoute(
  routes: readonly Route[],
  method: string,
  pathname: string,
): { route: Route; params: Record<string, string> } {
  const matches = routes.flatMap((route) => {
    const params = match(route.path, pathname);
    return params ? [{ route, params }] : [];
  });
  if (matches.length === 0) throw new ApiError(404, { code: "not-found", message: `There is no ${pathname}.` });

  const found = matches.find(({ route }) => route.method === method);
  if (!found) {
    const allow = [...new Set(matches.map(({ route }) => route.method))].join(", ");
    const message = `${method} is not possible here; use ${allow}.`;
    throw new ApiError(405, { code: "method-not-allowed", message }, { Allow: allow });
  }
  return { route: found.route, params: decode(found.params) };
}

function match(pattern: string, pathname: string): Record<string, string> | undefined {
  const wanted = pattern.split("/");
  const given = pathname.split("/");
  if (wanted.length !== given.length) return undefined;

  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (!part.startsWith(":")) {
      if (part !== value) return undefined;
    } else if (value === "") return undefined;
    else params[part.slice(1)] = value;
  }
  return params;
}

function decode(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)];
      } catch {
        throw invalid(name, `"${value}" is not a valid part of an address.`);
      }
    }),
  );
}
