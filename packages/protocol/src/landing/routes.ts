import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { ConflictMatrix, Landing, LandLane, LaneConflicts, LaneUpdated, UpdateLane } from "./schema.ts";

const lane = ["no_such_lane", "lane_gone", "git_failed", "git_locked", "unavailable"] as const;

const joining = ["merge_conflict", "hook_failed", "no_identity", "target_dirty", "lane_dirty", "turn_running"] as const;

/** Merging lanes, and checking them for conflicts. */
export const landingRoutes = {
  landLane: {
    method: "POST",
    path: "/v1/lanes/:id/merge",
    summary:
      "Lands a lane on its base, or pushes it for a pull request. Responds when it is done; a refusal changes nothing.",
    body: LandLane,
    bodyOptional: true,
    status: 200,
    response: Landing,
    errors: [...lane, ...joining, "invalid", "conflict", "unsupported", "not_permitted"],
    agent: "checked",
    client: "landings.land(id, body?)",
  },
  updateLane: {
    method: "POST",
    path: "/v1/lanes/:id/update",
    summary: "Updates a lane from its base. Refuses a lane with uncommitted changes unless `dirty` is set.",
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
    summary: "Checks a lane for conflicts with its base and every other lane, with uncommitted changes.",
    status: 200,
    response: LaneConflicts,
    errors: [...lane, "not_a_repository"],
    agent: "checked",
    client: "landings.conflicts(id)",
  },
  conflicts: {
    method: "GET",
    path: "/v1/conflicts",
    summary: "Checks all lanes of each repository for conflicts and suggests a landing order.",
    query: z.strictObject({ repository: z.string().max(4096).optional() }),
    status: 200,
    response: z.object({ repositories: z.array(ConflictMatrix) }),
    errors: ["not_a_repository", "git_failed", "unavailable", "invalid"],
    client: "landings.matrices(repository?) > repositories",
  },
  listLandings: {
    method: "GET",
    path: "/v1/landings",
    summary: "Lists landings, newest first.",
    query: z.strictObject({ lane: z.string().max(200).optional() }),
    status: 200,
    response: z.object({ landings: z.array(Landing) }),
    errors: ["invalid"],
    client: "landings.list(lane?) > landings",
  },
  getLanding: {
    method: "GET",
    path: "/v1/landings/:id",
    summary: "Returns one landing.",
    status: 200,
    response: Landing,
    errors: ["no_such_landing"],
    client: "landings.get(id)",
  },
  undoLanding: {
    method: "POST",
    path: "/v1/landings/:id/undo",
    summary: "Moves the base branch back to its tip before the landing; refuses if the branch has newer commits.",
    bodyOptional: true,
    status: 200,
    response: Landing,
    errors: ["no_such_landing", "conflict", "target_dirty", "unsupported", "git_failed", "git_locked", "unavailable"],
    client: "landings.undo(id)",
  },
} as const satisfies Record<string, Route>;
