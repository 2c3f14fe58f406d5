import { z } from "zod";
import { Attachment } from "../content/schema.ts";
import { ControlChanges } from "../controls/schema.ts";
import { ExtraFolders, FileChange } from "../files/schema.ts";
import { AgentId, LaneId, LaunchId, MessageId, ModelId, SessionId } from "../ids/schema.ts";
import { Mode } from "../modes/schema.ts";
import { SessionStatus } from "../status/schema.ts";
import { Cost, Usage } from "../usage/schema.ts";

/** The maximum number of lanes in a launch. */
export const MOST_SLOTS = 16;

const effort = z.string().regex(/^[a-z]{1,20}$/, "must be a word such as low, medium or high");

export const SlotRequest = z.strictObject({
  agent: AgentId,
  /** `null` drops a configured default, as in `POST /v1/sessions`. */
  model: ModelId.nullable().optional(),
  mode: Mode.nullable().optional(),
  effort: effort.nullable().optional(),
  controls: ControlChanges.optional(),
  /** The number of lanes with these settings. */
  count: z.number().int().min(1).max(MOST_SLOTS).optional(),
});

export type SlotRequest = z.infer<typeof SlotRequest>;

export const CreateLaunch = z
  .strictObject({
    /** Idempotency key: the same id and body return the same launch. */
    id: LaunchId.optional(),
    prompt: z.string().min(1, "must not be empty").max(1_000_000),
    attachments: z.array(Attachment).max(20).optional(),
    /** A folder of the repository. */
    cwd: z.string().min(1).max(4096),
    /** The branch or commit that all lanes start from. Default: the commit that is checked out in the main work tree. */
    base: z.string().min(1).max(250).optional(),
    /** The prefix of the lanes' names. Default: derived from the prompt. */
    name: z.string().trim().min(1).max(48).optional(),
    /** Further folders in which all agents may work. The lanes do not copy them. */
    folders: ExtraFolders.optional(),
    slots: z.array(SlotRequest).min(1, "name at least one agent").max(MOST_SLOTS),
  })
  .refine(
    ({ slots }) => slots.reduce((sum, { count = 1 }) => sum + count, 0) <= MOST_SLOTS,
    `at most ${MOST_SLOTS} lanes in one launch`,
  );

export type CreateLaunch = z.infer<typeof CreateLaunch>;

/**
 * pending, lanes, sessions: in preparation. sent: every agent has the prompt. running: at least one runs or waits.
 * settled: all turns have ended. failed: nothing was sent, and created lanes were removed.
 */
export const LaunchState = z.enum([
  "pending",
  "lanes",
  "sessions",
  "sent",
  "running",
  "settled",
  "failed",
  "cancelled",
]);

export type LaunchState = z.infer<typeof LaunchState>;

/** cleaned: nothing was sent, and the lane was removed. waiting: the agent has a pending input. */
export const SlotState = z.enum([
  "pending",
  "creating",
  "ready",
  "sent",
  "running",
  "waiting",
  "done",
  "failed",
  "cancelled",
  "cleaned",
]);

export type SlotState = z.infer<typeof SlotState>;

const problem = z.object({ code: z.string(), message: z.string(), remedy: z.string().optional() });

export const LaunchSlot = z.object({
  agent: AgentId,
  /** As requested; `null`: without the configured default. */
  model: z.string().nullable().optional(),
  mode: Mode.nullable().optional(),
  effort: z.string().nullable().optional(),
  controls: ControlChanges.optional(),
  /** The ids are assigned at once; lane and session exist when the slot is `ready`. */
  lane: LaneId,
  name: z.string(),
  session: SessionId,
  message: MessageId,
  state: SlotState,
  /** The status of its session, with the reason: the same as in lists of sessions. Absent without a session. */
  status: SessionStatus.optional(),
  /** The outcome of its last turn. */
  outcome: z.string().optional(),
  error: problem.optional(),
});

export type LaunchSlot = z.infer<typeof LaunchSlot>;

export const Launch = z.object({
  id: LaunchId,
  state: LaunchState,
  prompt: z.string(),
  name: z.string(),
  cwd: z.string(),
  repository: z.string(),
  base: z.object({ ref: z.string().optional(), commit: z.string() }),
  folders: z.array(z.string()).optional(),
  slots: z.array(LaunchSlot),
  error: problem.optional(),
  cancelledAt: z.iso.datetime().optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export type Launch = z.infer<typeof Launch>;

/** A command that an agent ran. `test` names the test runner, if it is a known one. */
export const RanCommand = z.object({
  session: SessionId,
  seq: z.number().int(),
  command: z.string(),
  status: z.enum(["ok", "error", "denied", "interrupted"]),
  exitCode: z.number().int().nullable().optional(),
  durationMs: z.number().optional(),
  test: z.string().optional(),
});

export type RanCommand = z.infer<typeof RanCommand>;

/** interrupted: the daemon ended during the run. `stale`: the lane has changed since. */
export const Check = z.object({
  lane: LaneId,
  command: z.string(),
  state: z.enum(["running", "passed", "failed", "timeout", "interrupted"]),
  exitCode: z.number().int().optional(),
  /** The end of its output. */
  output: z.string(),
  stale: z.boolean(),
  startedAt: z.iso.datetime(),
  durationMs: z.number().optional(),
});

export type Check = z.infer<typeof Check>;

export const RunCheck = z.strictObject({
  /** Default: `check` of the repository's `.gantry/lane.yml`. */
  command: z.string().trim().min(1).max(10_000).optional(),
  timeoutSeconds: z.number().int().min(1).max(86_400).optional(),
});

export type RunCheck = z.infer<typeof RunCheck>;

/** One lane of a comparison. */
export const ComparedLane = z.object({
  lane: LaneId,
  name: z.string(),
  branch: z.string().optional(),
  sessions: z.array(SessionId),
  agents: z.array(z.object({ agent: AgentId, model: z.string().optional() })),
  state: z.enum(["idle", "running", "waiting", "limited", "ended", "none"]),
  diff: z.object({
    files: z.array(FileChange),
    additions: z.number().int(),
    deletions: z.number().int(),
    patch: z.string(),
    /** Files whose patch is omitted because of its size. */
    left: z.array(z.string()),
  }),
  commands: z.array(RanCommand),
  /** The test runs among the commands; `last` is the result of the last one. */
  tests: z.object({
    passed: z.number().int(),
    failed: z.number().int(),
    last: z.enum(["passed", "failed"]).optional(),
  }),
  check: Check.optional(),
  turns: z.number().int(),
  /** The total duration of its turns. */
  durationMs: z.number(),
  usage: Usage,
  cost: Cost.optional(),
  outcome: z.string().optional(),
  /** The agent's last message. */
  last: z.string().optional(),
  error: problem.optional(),
});

export type ComparedLane = z.infer<typeof ComparedLane>;

export const Comparison = z.object({
  launch: LaunchId.optional(),
  /** The commit that all lanes are compared to. */
  base: z.object({ ref: z.string().optional(), commit: z.string() }),
  lanes: z.array(ComparedLane),
  /** Files that more than one lane changed. */
  overlap: z.array(z.object({ path: z.string(), lanes: z.array(LaneId) })),
});

export type Comparison = z.infer<typeof Comparison>;
