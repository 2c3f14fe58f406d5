import { z } from "zod";
import { Attachment } from "../content/schema.ts";
import { ControlValues } from "../controls/schema.ts";
import { Failure } from "../failures/schema.ts";
import { FileChange } from "../files/schema.ts";
import { HandoffRequest } from "../handoff/schema.ts";
import { AgentId, MessageId, SessionId, TurnId } from "../ids/schema.ts";
import { Grant } from "../inputs/schema.ts";
import { Mode, UnenforcedModes } from "../modes/schema.ts";
import { Budget, Cost, Usage } from "../usage/schema.ts";

/** The origin of a session's title: its first prompt, a model, or a person. A person's title is never replaced. */
export const TitleBy = z.enum(["prompt", "model", "user"]);

export type TitleBy = z.infer<typeof TitleBy>;

/** The origin of a session's summary: derived from the log, or written by a model. */
export const SummaryBy = z.enum(["log", "model"]);

export type SummaryBy = z.infer<typeof SummaryBy>;

/** The position of a spawned session: the root of its tree and the depth below it. */
export const Spawn = z.object({
  root: SessionId,
  depth: z.number().int(),
  /** Whether its parent is notified when it becomes idle. */
  wake: z.boolean(),
});

export type Spawn = z.infer<typeof Spawn>;

/** A paused queue starts no turn until it is resumed. */
export const QueueState = z.enum(["running", "paused"]);

export type QueueState = z.infer<typeof QueueState>;

/**
 * Why an agent's process has ended while its session stays. `evicted`: too many processes were running. `restart`: an
 * earlier daemon started it, and it was not resumed. `exited` and `crashed`: Gantry did not end it.
 */
export const ReleaseReason = z.enum([
  "idle",
  "evicted",
  "closed",
  "shutdown",
  "restart",
  "handoff",
  "settings",
  "login",
  "interrupted",
  "deadline",
  "lost",
  "unopened",
  "exited",
  "crashed",
]);

export type ReleaseReason = z.infer<typeof ReleaseReason>;

export const processEvents = {
  /** The agent's process has ended. The next message starts another one and resumes the conversation. */
  "process.released": z.object({
    agent: AgentId,
    reason: ReleaseReason,
    /** What happened, as a sentence. */
    text: z.string(),
  }),
};

export const sessionEvents = {
  "session.created": z.object({
    agent: AgentId,
    model: z.string().optional(),
    mode: Mode,
    effort: z.string().optional(),
    controls: ControlValues.optional(),
    cwd: z.string(),
    lane: z.string().optional(),
    /** Further folders in which the agent may work, with links resolved. */
    folders: z.array(z.string()).optional(),
    title: z.string(),
    titleBy: TitleBy.optional(),
    /** The identity that owns the session. */
    identity: z.string().optional(),
    parent: SessionId.optional(),
    /** For a fork: the last event of the parent that it includes. */
    forkedAt: z.number().int().optional(),
    /** Names of the environment variables that the session sets. Their values are not in the log. */
    env: z.array(z.string()).optional(),
    /** Names of the MCP servers that only this session has. Their settings are not in the log. */
    servers: z.array(z.string()).optional(),
    /** Pinned instructions before the conversation. */
    instructions: z.string().optional(),
    /** Set if another session's agent spawned it. */
    spawn: Spawn.optional(),
    origin: z.string().default("api"),
  }),
  /** Only the changed fields. `null` removes a value. */
  "session.updated": z.object({
    patch: z.object({
      title: z.string().optional(),
      titleBy: TitleBy.optional(),
      summary: z.string().optional(),
      summaryBy: SummaryBy.optional(),
      model: z.string().nullable().optional(),
      mode: Mode.optional(),
      /** The effective mode: the nearest lower one if the agent does not support the requested mode. */
      modeApplied: Mode.optional(),
      /** Whether the agent itself reported `modeApplied`, and the agent's name for the mode. */
      modeConfirmed: z.boolean().optional(),
      modeNative: z.string().nullable().optional(),
      /** The agent's modes that cannot be enforced. */
      unenforced: UnenforcedModes.nullable().optional(),
      effort: z.string().nullable().optional(),
      /** All requested native controls; `null`: none. */
      controls: ControlValues.nullable().optional(),
      /** What the agent reports: all native controls, and choices and plugins that it found. */
      controlsApplied: ControlValues.nullable().optional(),
      controlChoices: z.record(z.string(), z.array(z.string())).nullable().optional(),
      plugins: z.array(z.string()).nullable().optional(),
      agent: AgentId.optional(),
      /** Native conversation ids, by agent, for resuming. */
      handles: z.record(z.string(), z.string().nullable()).optional(),
      grants: z.array(Grant).optional(),
      /** A person made it the lead of the sessions that it started, or took that back. */
      lead: z.boolean().optional(),
      /** A new folder, for a session whose folder does not exist on this machine. */
      cwd: z.string().optional(),
      /** Replaces the further folders. */
      folders: z.array(z.string()).optional(),
      /** Replaces the names of the session's own MCP servers. */
      servers: z.array(z.string()).optional(),
      origin: z.string().optional(),
      archived: z.boolean().optional(),
      /** The identity was deleted. */
      identity: z.null().optional(),
      handingTo: HandoffRequest.nullable().optional(),
      queueState: QueueState.optional(),
      /** The agent was asked to stop the running turn. */
      stopping: z.literal(true).optional(),
      /** Whether it resumes automatically after a limit. `null`: the daemon's setting. */
      autoResume: z.boolean().nullable().optional(),
      /** Its cost limit. `null`: the daemon's setting. */
      budget: Budget.nullable().optional(),
    }),
    reason: z.string().optional(),
  }),
  "session.ended": z.object({
    reason: z.enum(["deleted", "archived", "failed"]),
    detail: z.string().optional(),
  }),
};

export const TurnTrigger = z.enum(["user", "queue", "steer", "schedule", "handoff", "resume"]);

export const TurnOutcome = z.enum(["completed", "interrupted", "failed"]);

export type TurnOutcome = z.infer<typeof TurnOutcome>;

export const turnEvents = {
  "turn.started": z.object({ trigger: TurnTrigger, messages: z.array(MessageId) }),
  "turn.ended": z.object({
    outcome: TurnOutcome,
    reason: z.string().optional(),
    usage: Usage.optional(),
    cost: Cost.optional(),
    servedModel: z.string().optional(),
    error: Failure.optional(),
    durationMs: z.number().optional(),
    /** From the start of the turn to the first text, reasoning, tool call or request of the agent. */
    ttftMs: z.number().int().optional(),
  }),
  /**
   * The changes of the turn. With the checkpoint commits `before` and `after` it is measured by Gantry and exact: `before`
   * alone at the start of the turn, both shortly after its end. Without them it is the agent's own report.
   */
  "diff.updated": z.object({
    turn: TurnId.optional(),
    files: z.array(FileChange),
    before: z.string().optional(),
    after: z.string().optional(),
    /** Totals, if `files` is truncated. */
    total: z.object({ files: z.number().int(), additions: z.number().int(), deletions: z.number().int() }).optional(),
    /** Sessions that ran in the same folder at the same time. */
    shared: z.array(SessionId).optional(),
    /** The change is a revert of files of `turn`; `undo` is the id that takes it back. */
    revert: z.object({ to: z.enum(["before", "after"]), undo: z.string() }).optional(),
  }),
};

export const Delivery = z.enum(["auto", "queue", "steer", "interrupt"]);

export type Delivery = z.infer<typeof Delivery>;

export const DeliveryState = z.enum(["queued", "edited", "sent", "inline", "delivered", "cancelled", "failed"]);

export type DeliveryState = z.infer<typeof DeliveryState>;

export const messageEvents = {
  "message.user": z.object({
    message: MessageId,
    text: z.string(),
    attachments: z.array(Attachment).default([]),
    /** `user`, `schedule:<id>`, or `session:<id>` for a message from another session. */
    author: z.string().default("user"),
    delivery: Delivery.default("auto"),
  }),
  "message.delivery": z.object({
    message: MessageId,
    state: DeliveryState,
    /** The position in the queue, from 0. */
    position: z.number().int().optional(),
    /** The new text of an edited message, or the text of a message that returns to the queue. */
    text: z.string().optional(),
    attachments: z.array(Attachment).optional(),
    author: z.string().optional(),
    /** The delivery of a queued message, if it was changed: `interrupt` starts next, also in a paused queue. */
    delivery: Delivery.optional(),
    /** How often it was sent to an agent without effect. */
    tries: z.number().int().optional(),
    reason: z.string().optional(),
  }),
};
