import type { Handlers } from "../server/handler.ts";
import type { LaunchService } from "./port.ts";

type LaunchHandlers = Pick<
  Handlers,
  "createLaunch" | "listLaunches" | "getLaunch" | "cancelLaunch" | "compareLaunch" | "compareLanes" | "checkLaunch"
>;

export function launchHandlers(launches: LaunchService): LaunchHandlers {
  return {
    createLaunch: async ({ body }) => {
      const { launch, created } = await launches.create(body);
      return { json: launch, status: created ? 202 : 200 };
    },
    listLaunches: () => ({ json: { launches: launches.list() } }),
    getLaunch: ({ params }) => ({ json: launches.get(params.id) }),
    cancelLaunch: async ({ params, query }) => ({ json: await launches.cancel(params.id, query.forget === "1") }),
    compareLaunch: async ({ params, query }) => ({ json: await launches.compare(params.id, query.patch !== "0") }),
    compareLanes: async ({ query }) => {
      const lanes = query.lanes.split(",").filter(Boolean);
      return { json: await launches.compareLanes(lanes, query.patch !== "0", query.cwd) };
    },
    checkLaunch: async ({ params, body }) => ({ json: { checks: await launches.check(params.id, body) } }),
  };
}
