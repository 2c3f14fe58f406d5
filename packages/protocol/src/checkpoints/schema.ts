import { z } from "zod";
import { TurnOutcome, TurnTrigger } from "../events/session.ts";
import { Failure } from "../failures/schema.ts";
import { FileChange } from "../files/schema.ts";
import { AgentId, JobId, MessageId, ModelId, SessionId, TurnId } from "../ids/schema.ts";
import { Cost, Usage } from "../usage/schema.ts";

/** A path that a checkpoint leaves out, and the reason: too large, unreadable, or a nested repository. */
export const LeftOut = z.object({ path: z.string(), why: z.string() });

export type LeftOut = z.infer<typeof LeftOut>;

/** Totals of a turn's changes. `files` counts all changed files, even if a list is truncated. */
export const DiffSummary = z.object({
  files: z.number().int(),
  additions: z.number().int(),
  deletions: z.number().int(),
  /** Sessions that ran in the same folder at the same time; they may have made some of the changes. */
  shared: z.array(SessionId).optional(),
});

export type DiffSummary = z.infer<typeof DiffSummary>;

/**
 * A turn, read from the log. `checkpoint` names the commits that still exist: with both, the turn has a diff and can be
 * reverted; with `after`, the session can be forked there with its files.
 */
export const TurnRow = z.object({
  turn: TurnId,
  /** The events that start and end it. */
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
 * The changes of a turn. Paths are relative to the session's folder; those in `patch` are relative to `root`. `cut`: the
 * patch or the list is truncated. `live`: the turn is still running.
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
  /** Paths that neither checkpoint holds; whether they changed is unknown. */
  left: z.array(LeftOut),
});

export type TurnDiff = z.infer<typeof TurnDiff>;

export const RevertTurn = z.strictObject({
  /** Only these paths, as the diff names them; a folder selects the changed files in it. */
  paths: z.array(z.string().min(1).max(4096)).min(1).max(10_000).optional(),
  /** The state to restore: before the turn or after it. */
  to: z.enum(["before", "after"]).optional(),
  /** Report the plan without changing anything. */
  dry: z.boolean().optional(),
  /** Also overwrite files that changed after the turn. */
  force: z.boolean().optional(),
});

export type RevertTurn = z.infer<typeof RevertTurn>;

export const UndoRevert = z.strictObject({ dry: z.boolean().optional(), force: z.boolean().optional() });

export type UndoRevert = z.infer<typeof UndoRevert>;

/**
 * Forks a session at the turn that holds the event `at`, or at the last turn. `files`: `lane` uses a new lane with the
 * files of that turn (the default if a checkpoint exists), `here` restores them in the same folder, `none` leaves the
 * folder unchanged.
 */
export const ForkSession = z.strictObject({
  /** Idempotency key: a repeated id returns the same session. */
  id: SessionId.optional(),
  at: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  agent: AgentId.optional(),
  model: ModelId.optional(),
  files: z.enum(["lane", "here", "none"]).optional(),
});

export type ForkSession = z.infer<typeof ForkSession>;

/** The action for one file. `none`: it already matches, or cannot be restored; `why` gives the reason. */
export const RevertedFile = z.object({
  path: z.string(),
  action: z.enum(["write", "delete", "none"]),
  /** It changed after the turn. The revert overwrites that change; the undo restores it. */
  conflict: z.boolean(),
  why: z.string().optional(),
});

export type RevertedFile = z.infer<typeof RevertedFile>;

/** `undo` is absent if nothing changed: a dry run, or all files already match. */
export const Reverted = z.object({
  turn: TurnId.optional(),
  to: z.enum(["before", "after"]),
  done: z.boolean(),
  files: z.array(RevertedFile),
  undo: JobId.optional(),
});

export type Reverted = z.infer<typeof Reverted>;
