import { buildRouteMap } from "@stricli/core";
import { landingCommands } from "./launches.ts";

const lanes = buildRouteMap({
  routes: landingCommands,
  docs: { brief: "Land lanes and bring them up to date" },
});

export const lanesRoutes = { lanes };
