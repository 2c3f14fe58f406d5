import { z } from "zod";
import { decimal } from "../routing/decimal.ts";
import type { Route } from "../routing/route.ts";
import {
  CreateLane,
  Lane,
  LaneDiff,
  LaneList,
  LaneRemoved,
  LaneSuggestion,
  LaneUndo,
  PatchLane,
  SetupLog,
} from "./schema.ts";

const folder = z.string().min(1).max(4096);

const lane = ["no_such_lane"] as const;

const git = ["git_failed", "git_locked", "unavailable"] as const;

/** Lanes: the main work tree of a repository and the worktrees in which agents work. */
export const laneRoutes = {
  listLanes: {
    method: "GET",
    path: "/v1/lanes",
    summary:
      "Lists the lanes of the repository of `cwd`, or of all known repositories, the primary lane first. Archived lanes need `archived=1` (only those) or `archived=all`. A folder without git is a primary lane that lists what is missing.",
    query: z.strictObject({
      cwd: folder.optional(),
      repository: folder.optional(),
      archived: z.enum(["0", "1", "all"]).optional(),
      refresh: z.enum(["0", "1"]).optional(),
    }),
    status: 200,
    response: LaneList,
    errors: ["invalid", ...git],
    agent: "checked",
    client: "lanes.list(query?)",
  },
  createLane: {
    method: "POST",
    path: "/v1/lanes",
    summary:
      "Creates a worktree on a new or an existing branch, or adopts a worktree. Responds when the lane is usable; its setup continues. Idempotent: the same id and body return 200 and the same lane.",
    body: CreateLane,
    status: 201,
    response: Lane,
    errors: ["invalid", "not_a_repository", "no_commits", "conflict", ...git],
    agent: "checked",
    client: "lanes.create(body)",
  },
  laneSuggestions: {
    method: "GET",
    path: "/v1/lanes/suggestions",
    summary: "Lists lanes that could be removed, with the reasons and whether force is needed.",
    query: z.strictObject({ cwd: folder.optional() }),
    status: 200,
    response: z.object({ suggestions: z.array(LaneSuggestion) }),
    errors: ["invalid", ...git],
    client: "lanes.suggestions(cwd?) > suggestions",
  },
  laneUndos: {
    method: "GET",
    path: "/v1/lanes/undos",
    summary: "Lists removed lanes that can be restored, newest first.",
    query: z.strictObject({ cwd: folder.optional() }),
    status: 200,
    response: z.object({ undos: z.array(LaneUndo) }),
    errors: ["invalid", "not_a_repository", ...git],
    client: "lanes.undos(cwd?) > undos",
  },
  getLane: {
    method: "GET",
    path: "/v1/lanes/:id",
    summary: "Returns one lane.",
    status: 200,
    response: Lane,
    errors: [...lane, ...git],
    agent: "lane",
    client: "lanes.get(id)",
  },
  patchLane: {
    method: "PATCH",
    path: "/v1/lanes/:id",
    summary: "Renames a lane, and its branch unless it was pushed; archives or restores the lane. Its path stays.",
    body: PatchLane,
    status: 200,
    response: Lane,
    errors: [...lane, "conflict", "unsupported", ...git],
    client: "lanes.patch(id, body)",
  },
  removeLane: {
    method: "DELETE",
    path: "/v1/lanes/:id",
    summary:
      "Removes a lane and the branch that was created for it; its sessions stay. Refuses a lane that has unmerged work, is locked or is in use, unless `force=1`. An undo ref preserves its content. An adopted worktree is only unregistered.",
    query: z.strictObject({ force: z.enum(["0", "1"]).optional() }),
    status: 200,
    response: LaneRemoved,
    errors: [...lane, "lane_in_use", "lane_dirty", "lane_unpushed", "lane_locked", "conflict", "unsupported", ...git],
    client: "lanes.remove(id, force=false)",
  },
  undoLane: {
    method: "POST",
    path: "/v1/lanes/:id/undo",
    summary: "Restores a removed lane with commits and files, or recreates the missing folder of a lane.",
    body: z.strictObject({ ref: z.string().max(500).optional() }),
    bodyOptional: true,
    status: 200,
    response: Lane,
    errors: [...lane, "conflict", "invalid", ...git],
    client: "lanes.undo(id, ref?)",
  },
  laneDiff: {
    method: "GET",
    path: "/v1/lanes/:id/diff",
    summary:
      "Returns the changes since the merge base, with uncommitted and untracked files. `limit` is the maximum size of the patch in bytes; `file` selects one file.",
    query: z.strictObject({
      file: folder.optional(),
      limit: decimal(1, 32 * 1024 * 1024).optional(),
    }),
    status: 200,
    response: LaneDiff,
    errors: [...lane, "unsupported", "lane_gone", ...git],
    agent: "lane",
    client: "lanes.diff(id, query?)",
  },
  laneSetup: {
    method: "GET",
    path: "/v1/lanes/:id/setup",
    summary: "Returns the last or current run of the setup command, with the end of its output.",
    status: 200,
    response: SetupLog,
    errors: [...lane, "unsupported"],
    agent: "lane",
    client: "lanes.setup(id)",
  },
  runLaneSetup: {
    method: "POST",
    path: "/v1/lanes/:id/setup",
    summary: "Runs the setup command again. 403 `untrusted` if the user has not trusted it.",
    bodyOptional: true,
    status: 202,
    response: SetupLog,
    errors: [...lane, "untrusted", "conflict", "unsupported", "invalid", "lane_gone"],
    client: "lanes.runSetup(id)",
  },
  sessionLane: {
    method: "GET",
    path: "/v1/sessions/:id/lane",
    summary: "Returns the lane of a session: a worktree, the primary lane, or a folder without git.",
    status: 200,
    response: Lane,
    errors: ["no_such_session", ...lane, "invalid", ...git],
    agent: "family",
    client: "lanes.ofSession(id)",
  },
} as const satisfies Record<string, Route>;
