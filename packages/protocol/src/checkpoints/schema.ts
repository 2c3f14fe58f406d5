import { z } from "zod";
import { TurnOutcome, TurnTrigger } from "../events/session.ts";
import { Failure } from "../failures/schema.ts";
import { FileChange } from "../files/schema.ts";
import { AgentId, JobId, MessageId, ModelId, SessionId, TurnId } from "../ids/schema.ts";
import { Cost, Usage } from "../usage/schema.ts";

/** What a checkpoint does not hold, and why: too large, unreadable, a repository of its own. */
export const LeftOut = z.object({ path: z.string(), why: z.string() });

export type LeftOut = z.infer<typeof LeftOut>;

/** What a turn changed, in figures. `files` is the true count, however many are listed. */
export const DiffSummary = z.object({
  files: z.number().int(),
  additions: z.number().int(),
  deletions: z.number().int(),
  /** Sessions that worked in the same folder at the same time: the changes may be theirs. */
  shared: z.array(SessionId).optional(),
});

export type DiffSummary = z.infer<typeof DiffSummary>;

/**
 * A turn as its log tells of it. `checkpoint` names the commits that are still there: with both, its diff can be shown and
 * it can be reverted; with `after`, the session can be forked there with its files.
 */
export const TurnRow = z.object({
  turn: TurnId,
  /** The events with which it began and ended. */
  seq: z.number().int(),
  endSeq: z.number().int().optional(),
  trigger: TurnTrigger,
  messages: z.array(MessageId),
  startedAt: z.string(),
  endedAt: z.string().optional(),
  /** Absent while it runs. */
  outcome: TurnOutcome.optional(),
  reason: z.string().optional(),
  error: Failure.optional(),
  usage: Usage.optional(),
  cost: Cost.optional(),
  servedModel: z.string().optional(),
  diff: DiffSummary.optional(),
  checkpoint: z.object({ before: z.string().optional(), after: z.string().optional() }),
});

export type TurnRow = z.infer<typeof TurnRow>;

export const TurnList = z.object({ turns: z.array(TurnRow) });

export type TurnList = z.infer<typeof TurnList>;

/**
 * What a turn changed. Paths are as seen from the session's folder, those in `patch` from `root`. `cut`: the patch does
 * not hold all files, or more changed than are listed. `live`: the turn still runs, and this is how far it is.
 */
export const TurnDiff = z.object({
  turn: TurnId,
  root: z.string(),
  before: z.string(),
  after: z.string(),
  live: z.boolean(),
  files: z.array(FileChange),
  total: DiffSummary,
  patch: z.string(),
  cut: z.boolean(),
  /** What neither checkpoint holds, so that it is not known whether it changed. */
  left: z.array(LeftOut),
});

export type TurnDiff = z.infer<typeof TurnDiff>;

export const RevertTurn = z.strictObject({
  /** Only these files, as the diff names them; a folder stands for what changed in it. */
  paths: z.array(z.string().min(1).max(4096)).min(1).max(10_000).optional(),
  /** To how they were before the turn, or after it. */
  to: z.enum(["before", "after"]).optional(),
  /** Say what would be done, and do nothing. */
  dry: z.boolean().optional(),
  /** Also files that were changed since. */
  force: z.boolean().optional(),
});

export type RevertTurn = z.infer<typeof RevertTurn>;

export const UndoRevert = z.strictObject({ dry: z.boolean().optional(), force: z.boolean().optional() });

export type UndoRevert = z.infer<typeof UndoRevert>;

/**
 * A new session that goes on from a turn: the one that holds the event `at`, or the last. `files`: in a new lane with the
 * files of that turn (the default where there are some), in the same folder with them put back, or as it is there now.
 */
export const ForkSession = z.strictObject({
  /** The same id again is the same session. */
  id: SessionId.optional(),
  at: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  agent: AgentId.optional(),
  model: ModelId.optional(),
  files: z.enum(["lane", "here", "none"]).optional(),
});

export type ForkSession = z.infer<typeof ForkSession>;

/** What becomes of one file. `none`: it is as wanted already, or must be left alone; `why` says so. */
export const RevertedFile = z.object({
  path: z.string(),
  action: z.enum(["write", "delete", "none"]),
  /** It was changed since, and that change would be lost (but for the undo). */
  conflict: z.boolean(),
  why: z.string().optional(),
});

export type RevertedFile = z.infer<typeof RevertedFile>;

/** `undo` is absent where nothing was done: a dry run, or everything was as wanted. */
export const Reverted = z.object({
  turn: TurnId.optional(),
  to: z.enum(["before", "after"]),
  done: z.boolean(),
  files: z.array(RevertedFile),
  undo: JobId.optional(),
});

export type Reverted = z.infer<typeof Reverted>;
