import { actorOf } from "../server/access/actor-of.ts";
import type { Handlers } from "../server/handler.ts";
import type { LandingService } from "./port.ts";

type LandingHandlers = Pick<
  Handlers,
  "landLane" | "updateLane" | "laneConflicts" | "conflicts" | "listLandings" | "getLanding" | "undoLanding"
>;

export function landingHandlers(landing: LandingService): LandingHandlers {
  return {
    landLane: async ({ params, body, caller }) => ({ json: await landing.land(params.id, body, actorOf(caller)) }),
    updateLane: async ({ params, body }) => ({ json: await landing.update(params.id, body) }),
    laneConflicts: async ({ params }) => ({ json: await landing.conflicts(params.id) }),
    conflicts: async ({ query }) => ({ json: { repositories: await landing.matrices(query.repository) } }),
    listLandings: ({ query }) => ({ json: { landings: landing.list(query.lane) } }),
    getLanding: ({ params }) => ({ json: landing.get(params.id) }),
    undoLanding: async ({ params }) => ({ json: await landing.undo(params.id) }),
  };
}
