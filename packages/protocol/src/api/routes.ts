import { agentRoutes } from "../agents/routes.ts";
import { checkpointRoutes } from "../checkpoints/routes.ts";
import { commentRoutes } from "../comments/routes.ts";
import { daemonRoutes } from "../daemon/routes.ts";
import { defaultRoutes } from "../defaults/routes.ts";
import { eventRoutes } from "../events/routes.ts";
import { fileRoutes } from "../files/routes.ts";
import { identityRoutes } from "../identities/routes.ts";
import { inputRoutes } from "../inputs/routes.ts";
import { kitRoutes } from "../kit/routes.ts";
import { landingRoutes } from "../landing/routes.ts";
import { laneRoutes } from "../lanes/routes.ts";
import { launchRoutes } from "../launches/routes.ts";
import { limitRoutes } from "../limits/routes.ts";
import { messageRoutes } from "../messages/routes.ts";
import { modelRoutes } from "../models/routes.ts";
import { previewRoutes } from "../previews/routes.ts";
import { profileRoutes } from "../profiles/routes.ts";
import { projectRoutes } from "../projects/routes.ts";
import { pushRoutes } from "../push/routes.ts";
import { reviewRoutes } from "../review/routes.ts";
import type { Route } from "../routing/route.ts";
import { savedPromptRoutes } from "../saved-prompts/routes.ts";
import { scheduleRoutes } from "../schedules/routes.ts";
import { searchRoutes } from "../search/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { settingRoutes } from "../settings/routes.ts";
import { spawnRoutes } from "../spawns/routes.ts";
import { taskRoutes } from "../tasks/routes.ts";
import { terminalRoutes } from "../terminals/routes.ts";
import { transferRoutes } from "../transfer/routes.ts";
import { trustRoutes } from "../trust/routes.ts";
import { usageRoutes } from "../usage/routes.ts";

export { pathParams } from "./params.ts";

/** Every call of the API. Server, client, OpenAPI document and docs are generated or checked from this table. */
export const routes = {
  ...daemonRoutes,
  ...agentRoutes,
  ...sessionRoutes,
  ...messageRoutes,
  ...taskRoutes,
  ...eventRoutes,
  ...inputRoutes,
  ...pushRoutes,
  ...checkpointRoutes,
  ...reviewRoutes,
  ...commentRoutes,
  ...fileRoutes,
  ...kitRoutes,
  ...identityRoutes,
  ...modelRoutes,
  ...limitRoutes,
  ...usageRoutes,
  ...profileRoutes,
  ...settingRoutes,
  ...defaultRoutes,
  ...projectRoutes,
  ...trustRoutes,
  ...launchRoutes,
  ...landingRoutes,
  ...scheduleRoutes,
  ...laneRoutes,
  ...spawnRoutes,
  ...terminalRoutes,
  ...previewRoutes,
  ...transferRoutes,
  ...savedPromptRoutes,
  ...searchRoutes,
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
