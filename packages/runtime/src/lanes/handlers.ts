import type { Handlers } from "../server/handler.ts";
import type { LaneService } from "./port.ts";

type LaneHandlers = Pick<
  Handlers,
  | "listLanes"
  | "createLane"
  | "laneSuggestions"
  | "laneUndos"
  | "getLane"
  | "patchLane"
  | "removeLane"
  | "undoLane"
  | "laneDiff"
  | "laneSetup"
  | "runLaneSetup"
  | "sessionLane"
>;

export function laneHandlers(lanes: LaneService): LaneHandlers {
  return {
    listLanes: async ({ query: { archived, refresh, ...where } }) => ({
      json: await lanes.list({
        ...where,
        archived: archived === "all" ? "any" : archived === "1",
        refresh: refresh === "1",
      }),
    }),
    createLane: async ({ body }) => {
      const { lane, created } = await lanes.create(body);
      return { json: lane, status: created ? 201 : 200 };
    },
    laneSuggestions: async ({ query }) => ({ json: { suggestions: await lanes.suggestions(query.cwd) } }),
    laneUndos: async ({ query }) => ({ json: { undos: await lanes.undos(query.cwd) } }),
    getLane: async ({ params }) => ({ json: await lanes.get(params.id) }),
    patchLane: async ({ params, body }) => ({ json: await lanes.patch(params.id, body) }),
    removeLane: async ({ params, query }) => ({ json: await lanes.remove(params.id, { force: query.force === "1" }) }),
    undoLane: async ({ params, body }) => ({ json: await lanes.undo(params.id, body.ref) }),
    laneDiff: async ({ params, query }) => ({ json: await lanes.diff(params.id, query) }),
    laneSetup: ({ params }) => ({ json: lanes.setupLog(params.id) }),
    runLaneSetup: async ({ params }) => ({ json: await lanes.setUp(params.id) }),
    sessionLane: async ({ params }) => ({ json: await lanes.ofSession(params.id) }),
  };
}
