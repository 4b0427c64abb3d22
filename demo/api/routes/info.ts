// What answers here: the page shows it, scripts/start.mjs waits for it.
import { chooseModel } from "../../models/choose.ts";
import type { ModelInfo } from "../../models/port.ts";
import type { Route } from "../router.ts";

export type Info = { model: ModelInfo };

export const infoRoutes: Route[] = [
  {
    method: "GET",
    path: "/api/info",
    handle: ({ env }) => {
      const { kind, name } = chooseModel(env);
      return Response.json({ model: { kind, name } } satisfies Info);
    },
  },
];
