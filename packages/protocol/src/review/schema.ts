import { z } from "zod";
import { DiffSummary, LeftOut } from "../checkpoints/schema.ts";
import { MomentName } from "../comments/schema.ts";
import { FileChange } from "../files/schema.ts";
import { JobId } from "../ids/schema.ts";
import { PullRequest } from "../landing/schema.ts";

const path = z.string().min(1).max(4096);

/** The files that differ between two moments of a session. Paths are relative to the session's folder. */
export const Changes = z.object({
  files: z.array(FileChange),
  /** The commit at the start of the comparison. */
  base: z.string(),
  /** The branch that `base` was taken from. */
  baseName: z.string().optional(),
  /** The commit at the end of the comparison. `base` and `to` select the same patches later. */
  to: z.string(),
  total: DiffSummary,
  /** The list has only the first files. */
  cut: z.boolean(),
  /** A turn is running in the folder, so that files may change. */
  live: z.boolean(),
  left: z.array(LeftOut),
});

export type Changes = z.infer<typeof Changes>;

export const FilePatch = z.object({
  path: z.string(),
  /** A unified diff; paths in its headers are relative to the root of the work tree. Empty for equal files. */
  patch: z.string(),
  /** The patch is longer than `bytes`, and `patch` is empty. */
  cut: z.boolean(),
});

export type FilePatch = z.infer<typeof FilePatch>;

/** A hunk by the numbers of its header. */
export const HunkRange = z.strictObject({
  oldStart: z.number().int().min(0),
  oldLines: z.number().int().min(0),
  newStart: z.number().int().min(0),
  newLines: z.number().int().min(0),
});

export type HunkRange = z.infer<typeof HunkRange>;

export const DiscardChanges = z
  .strictObject({
    /** The start of the comparison, as in `changes`: files get their state of that moment. Default: `base`. */
    from: MomentName.optional(),
    /** Files and folders, as `changes` names them. */
    paths: z.array(path).min(1).max(10_000),
    /** Only these hunks of the one file in `paths`, from a patch with three lines of context. */
    hunks: z.array(HunkRange).min(1).max(1000).optional(),
    /** The commit that `changes` reported in `to`. A file that changed after it is a conflict. */
    seen: MomentName.optional(),
    dry: z.boolean().optional(),
  })
  .refine(({ hunks, paths }) => !hunks || paths.length === 1, { message: "need exactly one path", path: ["hunks"] });

export type DiscardChanges = z.infer<typeof DiscardChanges>;

/** Files, or parts of one file, that are added to the index or removed from it. */
export const StageChanges = z
  .strictObject({
    /** Files and folders, as `changes` names them. */
    paths: z.array(path).min(1).max(10_000),
    /**
     * Only what changed in these hunks of the one file in `paths`. To stage: lines of the current file. To unstage: hunks
     * of the comparison from `head` to `index`.
     */
    hunks: z.array(HunkRange).min(1).max(1000).optional(),
    /** The commit that `changes` reported in `to`. A hunk of a file that changed after it is a conflict. */
    seen: MomentName.optional(),
  })
  .refine(({ hunks, paths }) => !hunks || paths.length === 1, { message: "need exactly one path", path: ["hunks"] });

export type StageChanges = z.infer<typeof StageChanges>;

/** A file with staged changes. `partly`: it has other changes that are not staged. */
export const StagedFile = z.object({ path: z.string(), partly: z.boolean() });

export type StagedFile = z.infer<typeof StagedFile>;

export const StagedFiles = z.object({ staged: z.array(StagedFile) });

/** The state of the work tree for a commit. */
export const CommitPlan = z.object({
  root: z.string(),
  /** Absent if HEAD is detached. */
  branch: z.string().optional(),
  head: z.string().optional(),
  upstream: z.string().optional(),
  /** The number of changed and untracked files. */
  changes: z.number().int(),
  /** The branch that `ahead` and `behind` compare with: the lane's base, else the upstream branch. */
  against: z.string().optional(),
  /** Commits that only this branch has, and those that only `against` has. */
  ahead: z.number().int().optional(),
  behind: z.number().int().optional(),
  /** Commits that the upstream branch does not have; without one, those on no remote. */
  unpushed: z.number().int(),
  remotes: z.array(z.string()),
  /** Files with staged changes, at most 5000. */
  staged: z.array(StagedFile),
  /** A suggested message: the session's title and summary, or the staged files if they are a part of the changes. */
  message: z.string(),
  /** The branch that a pull request or a landing would go to. */
  into: z.string().optional(),
  /** The lane, if it can be landed. */
  lane: z.string().optional(),
  /** The name of the lane that the session works in. */
  laneName: z.string().optional(),
  /** The last pull request of the lane. */
  pr: PullRequest.optional(),
});

export type CommitPlan = z.infer<typeof CommitPlan>;

export const CommitChanges = z
  .strictObject({
    /** Default: the suggested message. */
    message: z.string().trim().min(1).max(20_000).optional(),
    /** Files and folders, as `changes` names them. */
    paths: z.array(path).min(1).max(10_000).optional(),
    /** Every changed and untracked file of the work tree. */
    all: z.literal(true).optional(),
    /** What is staged. */
    staged: z.literal(true).optional(),
    /** Push the branch after the commit. */
    push: z.boolean().optional(),
  })
  .refine(({ paths, all, staged }) => [paths, all, staged].filter((one) => one !== undefined).length === 1, {
    message: "name one of `paths`, `all` and `staged`",
  });

export type CommitChanges = z.infer<typeof CommitChanges>;

export const Committed = z.object({
  commit: z.string(),
  message: z.string(),
  branch: z.string().optional(),
  files: z.array(FileChange),
  /** The remote that the branch was pushed to. */
  pushed: z.string().optional(),
  /** Warnings that did not stop it. */
  notices: z.array(z.string()),
});

export type Committed = z.infer<typeof Committed>;

export const Pushed = z.object({ branch: z.string(), remote: z.string() });

export type Pushed = z.infer<typeof Pushed>;

export const OpenPullRequest = z.strictObject({
  /** Idempotency key for a lane. */
  id: JobId.optional(),
  title: z.string().trim().min(1).max(250).optional(),
  text: z.string().trim().max(20_000).optional(),
  /** The target branch. Default: the lane's base, or the remote's default branch. */
  into: z.string().min(1).max(250).optional(),
});

export type OpenPullRequest = z.infer<typeof OpenPullRequest>;

export const OpenedPullRequest = z.object({
  pr: PullRequest,
  into: z.string(),
  /** The branch has uncommitted changes, which are not part of the pull request. */
  dirty: z.boolean(),
  notices: z.array(z.string()),
});

export type OpenedPullRequest = z.infer<typeof OpenedPullRequest>;
