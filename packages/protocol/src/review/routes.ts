import { z } from "zod";
import { Reverted } from "../checkpoints/schema.ts";
import { MomentName } from "../comments/schema.ts";
import { decimal } from "../routing/decimal.ts";
import type { Route } from "../routing/route.ts";
import { PastSession } from "./past-schema.ts";
import {
  Changes,
  CommitChanges,
  CommitPlan,
  Committed,
  DiscardChanges,
  FilePatch,
  OpenedPullRequest,
  OpenPullRequest,
  Pushed,
  StageChanges,
  StagedFiles,
} from "./schema.ts";

const reading = ["no_such_session", "no_such_turn", "no_checkpoint", "git_failed", "unavailable", "invalid"] as const;

const committing = [
  ...["no_such_session", "session_ended", "not_a_repository", "turn_running", "invalid", "conflict", "unsupported"],
  ...["untrusted", "no_identity", "hook_failed", "git_failed", "git_locked", "unavailable"],
] as const;

const staging = [
  ...["no_such_session", "not_a_repository", "no_checkpoint", "turn_running", "invalid", "conflict", "untrusted"],
  ...["git_failed", "git_locked", "unavailable"],
] as const;

/** What a session changed in its files, and what follows: discard, commit, pull request. */
export const reviewRoutes = {
  listChanges: {
    method: "GET",
    path: "/v1/sessions/:id/changes",
    summary:
      "Lists the files that a session changed. `from`: a turn (the state before it), `base` (the default), `session`, `head` or `index`; `to`: a turn (the state after it), `index` or `now` (the default).",
    query: z.strictObject({ from: MomentName.optional(), to: MomentName.optional() }),
    status: 200,
    response: Changes,
    errors: reading,
    agent: "family",
    client: "changes.list(id, query?, signal)",
  },
  changedFile: {
    method: "GET",
    path: "/v1/sessions/:id/changes/file",
    summary: "Returns the patch of one changed file. `from` and `to` may also be commits that `changes` reported.",
    query: z.strictObject({
      path: z.string().min(1).max(4096),
      /** The new path of a moved file. */
      moved: z.string().min(1).max(4096).optional(),
      from: MomentName.optional(),
      to: MomentName.optional(),
      context: decimal(0, 10_000).optional(),
      bytes: decimal(0, 20_000_000).optional(),
    }),
    status: 200,
    response: FilePatch,
    errors: reading,
    agent: "family",
    client: "changes.file(id, query, signal)",
  },
  sessionAt: {
    method: "GET",
    path: "/v1/sessions/:id/at/:seq",
    summary:
      "Returns the session as it was after one event of its log: state, pending inputs, queue, plan, and the checkpoint of its files.",
    status: 200,
    response: PastSession,
    errors: ["no_such_session", "no_such_event", "git_failed", "unavailable"],
    agent: "family",
  },
  discardChanges: {
    method: "POST",
    path: "/v1/sessions/:id/changes/discard",
    summary:
      "Restores files, or hunks of one file, to their state at `from`. The current files are stored first; `undo` restores them.",
    body: DiscardChanges,
    status: 200,
    response: Reverted,
    errors: [...reading, "session_ended", "turn_running", "conflict"],
    client: "changes.discard(id, body)",
  },
  stageChanges: {
    method: "POST",
    path: "/v1/sessions/:id/changes/stage",
    summary: "Adds files, or hunks of one file, to the index of the session's folder.",
    body: StageChanges,
    status: 200,
    response: StagedFiles,
    errors: staging,
    client: "changes.stage(id, body) > staged",
  },
  unstageChanges: {
    method: "POST",
    path: "/v1/sessions/:id/changes/unstage",
    summary: "Removes files, or hunks of one file, from the index. The files themselves do not change.",
    body: StageChanges,
    status: 200,
    response: StagedFiles,
    errors: staging,
    client: "changes.unstage(id, body) > staged",
  },
  commitPlan: {
    method: "GET",
    path: "/v1/sessions/:id/commit",
    summary: "Returns what a commit of the session's folder would be: branch, changes, a suggested message.",
    status: 200,
    response: CommitPlan,
    errors: ["no_such_session", "not_a_repository", "git_failed", "unavailable"],
    agent: "family",
    client: "changes.commitPlan(id)",
  },
  commitChanges: {
    method: "POST",
    path: "/v1/sessions/:id/commit",
    summary: "Commits files of the session's folder with the user's identity, hooks and signature.",
    body: CommitChanges,
    status: 200,
    response: Committed,
    errors: committing,
    client: "changes.commit(id, body)",
  },
  pushCommits: {
    method: "POST",
    path: "/v1/sessions/:id/push",
    summary: "Pushes the branch of the session's folder to its remote.",
    bodyOptional: true,
    status: 200,
    response: Pushed,
    errors: committing,
    client: "changes.push(id)",
  },
  openPullRequest: {
    method: "POST",
    path: "/v1/sessions/:id/pull-request",
    summary: "Pushes the branch of the session's folder and opens a pull request, or returns the open one.",
    body: OpenPullRequest,
    bodyOptional: true,
    status: 200,
    response: OpenedPullRequest,
    errors: [...committing, "no_such_lane", "lane_gone", "lane_dirty"],
    client: "changes.openPullRequest(id, body?)",
  },
} as const satisfies Record<string, Route>;
