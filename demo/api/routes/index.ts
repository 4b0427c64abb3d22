// The whole API in one list.
import type { Route } from "../router.ts";
import { agentRoutes } from "./agent.ts";
import { infoRoutes } from "./info.ts";
import { logRoutes } from "./log.ts";
import { submissionRoutes } from "./submissions.ts";
import { notificationRoutes } from "./notifications.ts";
import { scheduleRoutes } from "./schedules.ts";
import { workflowRoutes } from "./workflows.ts";

export const routes: readonly Route[] = [
  ...infoRoutes,
  ...submissionRoutes,
  ...logRoutes,
  ...agentRoutes,
  ...workflowRoutes,
  ...notificationRoutes,
  ...scheduleRoutes,
];
