import { z } from "zod";
import { FileChange } from "../files/schema.ts";
import { JobId, LaneId, SessionId } from "../ids/schema.ts";

/** merge: a merge commit. squash: one commit. rebase: the lane's commits on top of the base. pr: push and open a pull request. */
export const LandingHow = z.enum(["merge", "squash", "rebase", "pr"]);

export type LandingHow = z.infer<typeof LandingHow>;

const branch = z.string().min(1).max(250);

const message = z.string().trim().min(1).max(20_000);

export const LandLane = z.strictObject({
  /** Idempotency key: a repeated id returns the first landing. */
  id: JobId.optional(),
  how: LandingHow.default("merge"),
  /** The target branch. Default: the lane's base branch. */
  into: branch.optional(),
  /** The commit message, or the title and text of the pull request. */
  message: message.optional(),
  /** Commit uncommitted changes of the lane first; `false` refuses a lane that has any. */
  commit: z.boolean().default(true),
  /** Remove the lane afterwards. */
  remove: z.boolean().default(false),
  /** Also send a message to the agents of the other lanes, in addition to the notice in their sessions. */
  tellAgents: z.boolean().default(false),
});

export type LandLane = z.infer<typeof LandLane>;

/** The effect of a landing on another lane. */
export const AffectedLane = z.object({
  lane: LaneId,
  name: z.string(),
  /** Files that both the landing and this lane changed. */
  shared: z.array(z.string()),
  state: z.enum(["clean", "conflict", "unknown"]),
  /** Files that now conflict with the base. */
  conflicts: z.array(z.string()),
  sessions: z.array(SessionId),
});

export type AffectedLane = z.infer<typeof AffectedLane>;

export const PullRequest = z.object({
  remote: z.string(),
  branch: z.string(),
  /** The URL of the pull request, if one was opened. */
  url: z.string().optional(),
  /** How to open one manually, if none was opened. */
  open: z.string().optional(),
});

export type PullRequest = z.infer<typeof PullRequest>;

/** A landing, running or finished. A failed one has changed nothing. */
export const Landing = z.object({
  id: JobId,
  lane: LaneId,
  name: z.string(),
  repository: z.string(),
  how: LandingHow,
  into: z.string(),
  state: z.enum(["running", "done", "failed", "undone"]),
  /** The current step: check, commit, prepare, advance, push, tell, remove. prose-ignore: persisted step names */
  step: z.string().optional(),
  /** The lane's last commit, and the commit made for uncommitted changes. */
  source: z.string().optional(),
  committed: z.string().optional(),
  /** The tip of the base before and after. */
  from: z.string().optional(),
  to: z.string().optional(),
  files: z.array(FileChange),
  /** How to undo it: the ref of the former tip, and the command that restores it. */
  undo: z.object({ ref: z.string(), command: z.string() }).optional(),
  pr: PullRequest.optional(),
  told: z.array(AffectedLane), // prose-ignore: a fixed JSON field
  removed: z.boolean(),
  /** `session:<id>` if a lead landed it. Absent: a person. */
  by: z.string().optional(),
  /** Warnings that did not stop it. */
  notices: z.array(z.string()),
  error: z.object({ code: z.string(), message: z.string(), remedy: z.string().optional() }).optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type Landing = z.infer<typeof Landing>;

export const UpdateLane = z.strictObject({
  id: JobId.optional(),
  /** rebase: the lane's commits on top of the base. merge: the base into the lane. */
  how: z.enum(["rebase", "merge"]).default("rebase"),
  /** Proceed with uncommitted changes. They stay in place, and a hidden ref holds a snapshot of them. */
  dirty: z.boolean().default(false),
});

export type UpdateLane = z.infer<typeof UpdateLane>;

export const LaneUpdated = z.object({
  id: JobId,
  lane: LaneId,
  base: z.string(),
  from: z.string(),
  to: z.string(),
  /** False if the lane was already up to date. */
  moved: z.boolean(),
  undo: z.object({ ref: z.string(), command: z.string() }).optional(),
});

export type LaneUpdated = z.infer<typeof LaneUpdated>;

export const ConflictState = z.enum(["clean", "conflict", "unknown"]);

export type ConflictState = z.infer<typeof ConflictState>;

/** The conflict check of a lane against its base or another lane, with uncommitted changes. */
export const LaneConflict = z.object({
  /** `base`, or the other lane's id. */
  with: z.union([z.literal("base"), LaneId]),
  name: z.string(),
  state: ConflictState,
  /** Files that git cannot merge. */
  files: z.array(z.string()),
  /** Files that both changed, conflicting or not. */
  shared: z.array(z.string()),
  reason: z.string().optional(),
});

export type LaneConflict = z.infer<typeof LaneConflict>;

export const LaneConflicts = z.object({ lane: LaneId, conflicts: z.array(LaneConflict) });

export type LaneConflicts = z.infer<typeof LaneConflicts>;

export const ConflictMatrix = z.object({
  repository: z.string(),
  lanes: z.array(
    z.object({
      lane: LaneId,
      name: z.string(),
      base: z.string().optional(),
      /** The number of changed files. */
      files: z.number().int(),
      state: ConflictState,
      conflicts: z.array(z.string()),
    }),
  ),
  pairs: z.array(
    z.object({
      a: LaneId,
      b: LaneId,
      state: ConflictState,
      files: z.array(z.string()),
      shared: z.array(z.string()),
    }),
  ),
  /** The suggested landing order, with reasons. */
  order: z.array(
    z.object({
      lane: LaneId,
      name: z.string(),
      conflicts: z.number().int(),
      shared: z.number().int(),
      reason: z.string(),
    }),
  ),
});

export type ConflictMatrix = z.infer<typeof ConflictMatrix>;
