import { z } from "zod";
import { FileChange } from "../files/schema.ts";
import { AgentId, LaneId, SessionId } from "../ids/schema.ts";

/** primary: the repository's main work tree. worktree: created by Gantry. attached: an existing worktree that was adopted. */
export const LaneKind = z.enum(["primary", "worktree", "attached"]);

export type LaneKind = z.infer<typeof LaneKind>;

/** failed: unusable now, `missing` gives the reason. removing: the removal is in progress. */
export const LaneState = z.enum(["creating", "ready", "failed", "archived", "removing"]);

export type LaneState = z.infer<typeof LaneState>;

/**
 * none: the repository has no setup command. untrusted: the command did not run, because the user has not trusted it. The
 * other states describe its last run.
 */
export const SetupState = z.enum(["none", "untrusted", "running", "ok", "failed", "timeout"]);

export const LaneSetup = z.object({
  state: SetupState,
  command: z.string().optional(),
  exitCode: z.number().int().optional(),
  startedAt: z.iso.datetime().optional(),
  endedAt: z.iso.datetime().optional(),
});

export type LaneSetup = z.infer<typeof LaneSetup>;

/** The start of a lane: the commit, and the branch that pointed to it. */
export const LaneBase = z.object({ ref: z.string().optional(), commit: z.string() });

export type LaneBase = z.infer<typeof LaneBase>;

/** The first and last port, inclusive. */
export const PortRange = z.object({ start: z.number().int(), end: z.number().int() });

export type PortRange = z.infer<typeof PortRange>;

/**
 * A folder in which agents work: the main work tree of a repository or a separate worktree. A folder without git is a
 * primary lane that lists what is missing.
 */
export const Lane = z.object({
  id: LaneId,
  name: z.string(),
  kind: LaneKind,
  /** The main work tree or the bare repository; the folder itself if it has no git. */
  repository: z.string(),
  path: z.string(),
  /** Absent if HEAD is detached. */
  branch: z.string().optional(),
  base: LaneBase.optional(),
  /** The checked-out commit; absent before the first commit. */
  head: z.string().optional(),
  state: LaneState,
  dirty: z.boolean(),
  /** The number of changed and untracked files. */
  changes: z.number().int(),
  /** Commits missing in the base, and commits of the base missing here. */
  ahead: z.number().int(),
  behind: z.number().int(),
  /** Commits that are neither on a remote nor in the base. */
  unpushed: z.number().int(),
  /** The reason of the git worktree lock; empty if none was given. */
  locked: z.string().optional(),
  sessions: z.array(SessionId),
  ports: PortRange.optional(),
  /** Size in bytes; measured in the background and absent until then. */
  disk: z.number().int().optional(),
  setup: LaneSetup,
  /** What is not possible here and why, as sentences. */
  missing: z.array(z.string()),
  /** Warnings from its creation. */
  notices: z.array(z.string()),
  createdAt: z.iso.datetime().optional(),
});

export type Lane = z.infer<typeof Lane>;

const name = z.string().trim().min(1, "must not be empty").max(48, "must have at most 48 characters");

const folder = z.string().min(1).max(4096);

const ref = z.string().min(1).max(250);

export const CreateLane = z
  .strictObject({
    id: LaneId.optional(),
    /** Any folder of the repository; optional with `path`. */
    cwd: folder.optional(),
    name: name.optional(),
    /** The task; the name is derived from it. */
    prompt: z.string().max(1_000_000).optional(),
    /** The agent that will work in the lane. A cheap model of it may choose a better name. */
    agent: AgentId.optional(),
    /** A branch or commit to start from. Default: the commit that is checked out in the main work tree. */
    base: ref.optional(),
    /** A commit of the base to start from, instead of its tip. */
    commit: z
      .string()
      .regex(/^[0-9a-f]{40,64}$/, "must be a whole commit id")
      .optional(),
    /** An existing branch to check out. */
    branch: ref.optional(),
    /** An existing worktree to adopt. */
    path: folder.optional(),
    /** `false`: copy no files and run no setup command. */
    setup: z.boolean().optional(),
  })
  .refine((body) => body.cwd !== undefined || body.path !== undefined, "name `cwd`, or `path` of an existing worktree")
  .refine(
    (body) => !(body.path && (body.base || body.branch)),
    "`path` adopts an existing worktree: leave out base and branch",
  );

export type CreateLane = z.infer<typeof CreateLane>;

export const PatchLane = z
  .strictObject({ name: name.optional(), archived: z.boolean().optional() })
  .refine((body) => Object.keys(body).length > 0, "name at least one of name, archived");

export type PatchLane = z.infer<typeof PatchLane>;

/** A worktree of the repository that is not a lane yet. */
export const Adoptable = z.object({
  repository: z.string(),
  path: z.string(),
  branch: z.string().optional(),
  head: z.string().optional(),
  locked: z.string().optional(),
});

export type Adoptable = z.infer<typeof Adoptable>;

export const LaneList = z.object({ lanes: z.array(Lane), adoptable: z.array(Adoptable) });

export type LaneList = z.infer<typeof LaneList>;

/** The result of a removal. `POST /v1/lanes/:id/undo` restores the lane from the ref `undo`. */
export const LaneRemoved = z.object({
  removed: z.literal(true),
  undo: z.string().optional(),
  /** What was preserved and how to restore it, as sentences. */
  notices: z.array(z.string()),
});

export type LaneRemoved = z.infer<typeof LaneRemoved>;

/** A removed lane that can be restored. */
export const LaneUndo = z.object({
  lane: LaneId,
  name: z.string(),
  repository: z.string(),
  path: z.string(),
  branch: z.string().optional(),
  ref: z.string(),
  commit: z.string(),
  removedAt: z.iso.datetime(),
});

export type LaneUndo = z.infer<typeof LaneUndo>;

/**
 * The changes since the merge base of lane and base, with uncommitted and untracked files. `files` is complete; `patch` is
 * truncated at the limit, and `left` names the files that it omits.
 */
export const LaneDiff = z.object({
  lane: LaneId,
  /** The commit that it is compared to. */
  from: z.string(),
  files: z.array(FileChange),
  additions: z.number().int(),
  deletions: z.number().int(),
  patch: z.string(),
  left: z.array(z.string()),
  /** Present if the patch is truncated: how to get the rest. */
  notice: z.string().optional(),
});

export type LaneDiff = z.infer<typeof LaneDiff>;

/** The last run of the setup command. `log` is the end of its output, `bytes` the size of the whole output. */
export const SetupLog = LaneSetup.extend({ log: z.string(), bytes: z.number().int() });

export type SetupLog = z.infer<typeof SetupLog>;

export const SuggestionReason = z.object({
  kind: z.enum(["merged", "archived", "idle", "disk", "gone"]),
  text: z.string(),
});

export type SuggestionReason = z.infer<typeof SuggestionReason>;

/** A lane that could be removed. `safe`: without force. */
export const LaneSuggestion = z.object({ lane: Lane, reasons: z.array(SuggestionReason), safe: z.boolean() });

export type LaneSuggestion = z.infer<typeof LaneSuggestion>;
