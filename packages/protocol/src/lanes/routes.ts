import { z } from "zod";
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

/** Lanes: the work tree of a repository, and those beside it in which agents work. */
export const laneRoutes = {
  listLanes: {
    method: "GET",
    path: "/v1/lanes",
    summary:
      "Lanes of the repository that `cwd` lies in, or of all that are known, the primary one first; archived ones with `archived=1` (them alone) or `archived=all`. A plain folder is a primary lane that says what is missing.",
    query: z.strictObject({
      cwd: folder.optional(),
      repository: folder.optional(),
      archived: z.enum(["0", "1", "all"]).optional(),
      refresh: z.enum(["0", "1"]).optional(),
    }),
    status: 200,
    response: LaneList,
    errors: ["invalid", ...git],
    client: "lanes.list(query?)",
  },
  createLane: {
    method: "POST",
    path: "/v1/lanes",
    summary:
      "Makes a worktree with a branch of its own, or on a branch that exists, or adopts one. Answers when it can be worked in; its set-up goes on. The same id and body again: 200, the same lane.",
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
    summary: "Lanes that may be in the way, with the reasons, and whether they can be removed without force.",
    query: z.strictObject({ cwd: folder.optional() }),
    status: 200,
    response: z.object({ suggestions: z.array(LaneSuggestion) }),
    errors: ["invalid", ...git],
    client: "lanes.suggestions(cwd?) > suggestions",
  },
  laneUndos: {
    method: "GET",
    path: "/v1/lanes/undos",
    summary: "Removed lanes that can be had back, the newest first.",
    query: z.strictObject({ cwd: folder.optional() }),
    status: 200,
    response: z.object({ undos: z.array(LaneUndo) }),
    errors: ["invalid", "not_a_repository", ...git],
    client: "lanes.undos(cwd?) > undos",
  },
  getLane: {
    method: "GET",
    path: "/v1/lanes/:id",
    summary: "One lane.",
    status: 200,
    response: Lane,
    errors: [...lane, ...git],
    agent: "lane",
    client: "lanes.get(id)",
  },
  patchLane: {
    method: "PATCH",
    path: "/v1/lanes/:id",
    summary:
      "Renames a lane, and its branch if nothing of it was pushed; archives it or brings it back. Its path stays.",
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
      "Removes a lane and the branch that was made for it; its sessions stay. Refused while it holds work, is locked or in use, unless `force=1`. What was in it is kept under an undo ref. An adopted worktree is only forgotten.",
    query: z.strictObject({ force: z.enum(["0", "1"]).optional() }),
    status: 200,
    response: LaneRemoved,
    errors: [...lane, "lane_in_use", "lane_dirty", "lane_unpushed", "lane_locked", "conflict", "unsupported", ...git],
    client: "lanes.remove(id, force=false)",
  },
  undoLane: {
    method: "POST",
    path: "/v1/lanes/:id/undo",
    summary: "Brings a removed lane back, commits and files, or makes the folder of one anew that is gone.",
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
      "What is different from where lane and base parted, with what is not committed and not tracked. `limit` is in bytes of the patch; `file` narrows to one.",
    query: z.strictObject({
      file: folder.optional(),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(32 * 1024 * 1024)
        .optional(),
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
    summary: "The last run of the set-up command and the end of what it printed, also while it runs.",
    status: 200,
    response: SetupLog,
    errors: [...lane, "unsupported"],
    agent: "lane",
    client: "lanes.setup(id)",
  },
  runLaneSetup: {
    method: "POST",
    path: "/v1/lanes/:id/setup",
    summary: "Runs the set-up command once more.",
    bodyOptional: true,
    status: 202,
    response: SetupLog,
    errors: [...lane, "conflict", "unsupported", "invalid", "lane_gone"],
    client: "lanes.runSetup(id)",
  },
  sessionLane: {
    method: "GET",
    path: "/v1/sessions/:id/lane",
    summary:
      "The lane that a session works in: its own, the primary one, or a plain folder with what is missing there.",
    status: 200,
    response: Lane,
    errors: ["no_such_session", ...lane, "invalid", ...git],
    agent: "family",
    client: "lanes.ofSession(id)",
  },
} as const satisfies Record<string, Route>;
