import { z } from "zod";
import { FileChange } from "../files/schema.ts";
import { LaneId, SessionId } from "../ids/schema.ts";

/** primary: the repository's own work tree. worktree: made by Gantry. attached: one that was there, and was adopted. */
export const LaneKind = z.enum(["primary", "worktree", "attached"]);

export type LaneKind = z.infer<typeof LaneKind>;

/** failed: nothing can be done in it now, `missing` says why. removing: it is being taken away. */
export const LaneState = z.enum(["creating", "ready", "failed", "archived", "removing"]);

export type LaneState = z.infer<typeof LaneState>;

/** none: the repository asks for nothing. The others are of the last run of its set-up command. */
export const SetupState = z.enum(["none", "running", "ok", "failed", "timeout"]);

export const LaneSetup = z.object({
  state: SetupState,
  command: z.string().optional(),
  exitCode: z.number().int().optional(),
  startedAt: z.iso.datetime().optional(),
  endedAt: z.iso.datetime().optional(),
});

export type LaneSetup = z.infer<typeof LaneSetup>;

/** What a lane was begun from: the commit, and the branch it was the tip of. */
export const LaneBase = z.object({ ref: z.string().optional(), commit: z.string() });

export type LaneBase = z.infer<typeof LaneBase>;

/** First and last, both included. */
export const PortRange = z.object({ start: z.number().int(), end: z.number().int() });

export type PortRange = z.infer<typeof PortRange>;

/**
 * A folder in which agents work: the work tree of a repository, or one that stands beside it. A plain folder is a
 * primary lane too, with words on what is missing there.
 */
export const Lane = z.object({
  id: LaneId,
  name: z.string(),
  kind: LaneKind,
  /** The primary work tree, or the bare repository; the folder itself where there is no git. */
  repository: z.string(),
  path: z.string(),
  /** Absent while HEAD is detached. */
  branch: z.string().optional(),
  base: LaneBase.optional(),
  /** The commit that is checked out; absent where there is none yet. */
  head: z.string().optional(),
  state: LaneState,
  dirty: z.boolean(),
  /** How many files are changed or untracked. */
  changes: z.number().int(),
  /** Commits that the base does not have, and those of the base that are not here. */
  ahead: z.number().int(),
  behind: z.number().int(),
  /** Commits that are on no remote and not in the base. */
  unpushed: z.number().int(),
  /** Why git was told to keep it; empty where no reason was given. */
  locked: z.string().optional(),
  sessions: z.array(SessionId),
  ports: PortRange.optional(),
  /** Bytes; measured in the background, so absent at first. */
  disk: z.number().int().optional(),
  setup: LaneSetup,
  /** What cannot be done here and why, in sentences. */
  missing: z.array(z.string()),
  /** What went wrong when it was made, without being in the way. */
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
    /** Any folder of the repository; may be left out with `path`. */
    cwd: folder.optional(),
    name: name.optional(),
    /** What is to be done there; the name is made from it. */
    prompt: z.string().max(1_000_000).optional(),
    /** A branch or commit to begin from. Default: what is checked out in the primary work tree. */
    base: ref.optional(),
    /** A commit of the base to begin from, in place of its tip. */
    commit: z
      .string()
      .regex(/^[0-9a-f]{40,64}$/, "must be a whole commit id")
      .optional(),
    /** A branch that exists and is to be worked on. */
    branch: ref.optional(),
    /** A worktree that exists and is to be adopted. */
    path: folder.optional(),
    /** `false`: nothing is copied and no set-up command is run. */
    setup: z.boolean().optional(),
  })
  .refine((body) => body.cwd !== undefined || body.path !== undefined, "name `cwd`, or `path` of an existing worktree")
  .refine(
    (body) => !(body.path && (body.base || body.branch)),
    "`path` adopts a worktree as it is: leave out base and branch",
  );

export type CreateLane = z.infer<typeof CreateLane>;

export const PatchLane = z
  .strictObject({ name: name.optional(), archived: z.boolean().optional() })
  .refine((body) => Object.keys(body).length > 0, "name at least one of name, archived");

export type PatchLane = z.infer<typeof PatchLane>;

/** A worktree of the repository that Gantry did not make and does not know. */
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

/** What a removal has kept: `undo` is the ref from which `POST /v1/lanes/:id/undo` brings the lane back. */
export const LaneRemoved = z.object({
  removed: z.literal(true),
  undo: z.string().optional(),
  /** What was kept and how to get it back, in sentences. */
  notices: z.array(z.string()),
});

export type LaneRemoved = z.infer<typeof LaneRemoved>;

/** A removed lane that can be had back. */
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
 * All that is different from where lane and base parted, with what is not committed and not tracked. `files` is whole;
 * `patch` holds the files' patches up to the limit, and `left` names those that it does not hold.
 */
export const LaneDiff = z.object({
  lane: LaneId,
  /** The commit that it is compared with. */
  from: z.string(),
  files: z.array(FileChange),
  additions: z.number().int(),
  deletions: z.number().int(),
  patch: z.string(),
  left: z.array(z.string()),
  /** Says that something is left out, and how to get it. */
  notice: z.string().optional(),
});

export type LaneDiff = z.infer<typeof LaneDiff>;

/** The last run of the set-up command; `log` is the end of what it printed, `bytes` how much that was in all. */
export const SetupLog = LaneSetup.extend({ log: z.string(), bytes: z.number().int() });

export type SetupLog = z.infer<typeof SetupLog>;

export const SuggestionReason = z.object({
  kind: z.enum(["merged", "archived", "idle", "disk", "gone"]),
  text: z.string(),
});

export type SuggestionReason = z.infer<typeof SuggestionReason>;

/** A lane that may be in the way. `safe`: it can be removed without force. */
export const LaneSuggestion = z.object({ lane: Lane, reasons: z.array(SuggestionReason), safe: z.boolean() });

export type LaneSuggestion = z.infer<typeof LaneSuggestion>;
