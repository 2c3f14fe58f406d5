import { z } from "zod";
import { FileChange } from "../files/schema.ts";
import { JobId, LaneId, SessionId } from "../ids/schema.ts";

/** merge: a merge commit. squash: one commit. rebase: the lane's commits on top of the base. pr: pushed, for a review. */
export const LandingHow = z.enum(["merge", "squash", "rebase", "pr"]);

export type LandingHow = z.infer<typeof LandingHow>;

const branch = z.string().min(1).max(250);

const message = z.string().trim().min(1).max(20_000);

export const LandLane = z.strictObject({
  /** The same id again is the same landing: the answer is the first one's. */
  id: JobId.optional(),
  how: LandingHow.default("merge"),
  /** The branch to land on. Default: the one that the lane was begun from. */
  into: branch.optional(),
  /** Of the commit that is made, or the title and text of the pull request. */
  message: message.optional(),
  /** What is not committed in the lane is committed first; `false` refuses a lane with such changes. */
  commit: z.boolean().default(true),
  /** Remove the lane afterwards. */
  remove: z.boolean().default(false),
  /** Send a message to the agents of the other lanes as well, beside the notice in their sessions. */
  tellAgents: z.boolean().default(false),
});

export type LandLane = z.infer<typeof LandLane>;

/** What moved under another lane, and how it stands to that. */
export const ToldLane = z.object({
  lane: LaneId,
  name: z.string(),
  /** Files that moved and that this lane changed too. */
  shared: z.array(z.string()),
  state: z.enum(["clean", "conflict", "unknown"]),
  /** Files in which it now conflicts with the base. */
  conflicts: z.array(z.string()),
  sessions: z.array(SessionId),
});

export type ToldLane = z.infer<typeof ToldLane>;

export const PullRequest = z.object({
  remote: z.string(),
  branch: z.string(),
  /** Of the request itself, where one was opened. */
  url: z.string().optional(),
  /** How to open one by hand, where none was. */
  open: z.string().optional(),
});

export type PullRequest = z.infer<typeof PullRequest>;

/** What becomes or became of a lane's work. A failed one has changed nothing. */
export const Landing = z.object({
  id: JobId,
  lane: LaneId,
  name: z.string(),
  repository: z.string(),
  how: LandingHow,
  into: z.string(),
  state: z.enum(["running", "done", "failed", "undone"]),
  /** The step that is being done: check, commit, prepare, advance, push, tell, remove. */
  step: z.string().optional(),
  /** The lane's own last commit, and the one that was made there for what was uncommitted. */
  source: z.string().optional(),
  committed: z.string().optional(),
  /** The tip of the base before and after. */
  from: z.string().optional(),
  to: z.string().optional(),
  files: z.array(FileChange),
  /** How to take it back: the ref that keeps the former tip, and the command that goes back to it. */
  undo: z.object({ ref: z.string(), command: z.string() }).optional(),
  pr: PullRequest.optional(),
  told: z.array(ToldLane),
  removed: z.boolean(),
  /** What did not go as wished, without being in the way. */
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
  /** Go on with uncommitted changes; they stay, and a snapshot of them is kept in a hidden ref. */
  dirty: z.boolean().default(false),
});

export type UpdateLane = z.infer<typeof UpdateLane>;

export const LaneUpdated = z.object({
  id: JobId,
  lane: LaneId,
  base: z.string(),
  from: z.string(),
  to: z.string(),
  /** False where it was up to date already. */
  moved: z.boolean(),
  undo: z.object({ ref: z.string(), command: z.string() }).optional(),
});

export type LaneUpdated = z.infer<typeof LaneUpdated>;

export const ConflictState = z.enum(["clean", "conflict", "unknown"]);

export type ConflictState = z.infer<typeof ConflictState>;

/** How a lane stands to its base or to another lane, uncommitted changes included. */
export const LaneConflict = z.object({
  /** `base`, or the other lane's id. */
  with: z.union([z.literal("base"), LaneId]),
  name: z.string(),
  state: ConflictState,
  /** Files that git cannot join. */
  files: z.array(z.string()),
  /** Files that both changed, joined or not. */
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
      /** How many files it changed. */
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
  /** In which order to land them, and why. */
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
