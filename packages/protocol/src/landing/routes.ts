import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { ConflictMatrix, Landing, LandLane, LaneConflicts, LaneUpdated, UpdateLane } from "./schema.ts";

const lane = ["no_such_lane", "lane_gone", "git_failed", "git_locked", "unavailable"] as const;

const joining = ["merge_conflict", "hook_failed", "no_identity", "target_dirty", "lane_dirty", "turn_running"] as const;

/** How the work of lanes comes together. */
export const landingRoutes = {
  landLane: {
    method: "POST",
    path: "/v1/lanes/:id/merge",
    summary:
      "Lands a lane on its base, or pushes it for a pull request. Answers when it is done; a refusal has changed nothing.",
    body: LandLane,
    bodyOptional: true,
    status: 200,
    response: Landing,
    errors: [...lane, ...joining, "invalid", "conflict", "unsupported"],
    client: "landings.land(id, body?)",
  },
  updateLane: {
    method: "POST",
    path: "/v1/lanes/:id/update",
    summary:
      "Brings a lane up to date with its base. Refuses a lane with uncommitted changes unless told to keep them.",
    body: UpdateLane,
    bodyOptional: true,
    status: 200,
    response: LaneUpdated,
    errors: [...lane, ...joining, "invalid", "conflict", "unsupported"],
    client: "landings.update(id, body?)",
  },
  laneConflicts: {
    method: "GET",
    path: "/v1/lanes/:id/conflicts",
    summary: "How a lane stands to its base and to every other lane, uncommitted changes included.",
    status: 200,
    response: LaneConflicts,
    errors: [...lane, "not_a_repository"],
    client: "landings.conflicts(id)",
  },
  conflicts: {
    method: "GET",
    path: "/v1/conflicts",
    summary: "Conflicts between all lanes of each repository, and an order to land them in.",
    query: z.strictObject({ repository: z.string().max(4096).optional() }),
    status: 200,
    response: z.object({ repositories: z.array(ConflictMatrix) }),
    errors: ["not_a_repository", "git_failed", "unavailable", "invalid"],
    client: "landings.matrices(repository?) > repositories",
  },
  listLandings: {
    method: "GET",
    path: "/v1/landings",
    summary: "Landings, the newest first.",
    query: z.strictObject({ lane: z.string().max(200).optional() }),
    status: 200,
    response: z.object({ landings: z.array(Landing) }),
    errors: ["invalid"],
    client: "landings.list(lane?) > landings",
  },
  getLanding: {
    method: "GET",
    path: "/v1/landings/:id",
    summary: "One landing.",
    status: 200,
    response: Landing,
    errors: ["no_such_landing"],
    client: "landings.get(id)",
  },
  undoLanding: {
    method: "POST",
    path: "/v1/landings/:id/undo",
    summary: "Moves the base back to where it was before; refuses when it has gone on since.",
    bodyOptional: true,
    status: 200,
    response: Landing,
    errors: ["no_such_landing", "conflict", "target_dirty", "unsupported", "git_failed", "git_locked", "unavailable"],
    client: "landings.undo(id)",
  },
} as const satisfies Record<string, Route>;
