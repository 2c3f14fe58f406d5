import { z } from "zod";
import { Attachment } from "../content/schema.ts";
import { Failure } from "../failures/schema.ts";
import { FileChange } from "../files/schema.ts";
import { HandoffRequest } from "../handoff/schema.ts";
import { AgentId, MessageId, SessionId, TurnId } from "../ids/schema.ts";
import { Grant } from "../inputs/schema.ts";
import { Mode } from "../modes/schema.ts";
import { Budget, Cost, Usage } from "../usage/schema.ts";

/** Who found a session's title: its first prompt, a model, or a person, whose word stays. */
export const TitleBy = z.enum(["prompt", "model", "user"]);

export type TitleBy = z.infer<typeof TitleBy>;

/** Who wrote a session's summary: it was made from the log, or a model did. */
export const SummaryBy = z.enum(["log", "model"]);

export type SummaryBy = z.infer<typeof SummaryBy>;

/** The place of a session that another one began: who began the first of them all, how far below that one it is. */
export const Spawn = z.object({
  root: SessionId,
  depth: z.number().int(),
  /** Is its parent told when it has ended its work? */
  wake: z.boolean(),
});

export type Spawn = z.infer<typeof Spawn>;

export const sessionEvents = {
  "session.created": z.object({
    agent: AgentId,
    model: z.string().optional(),
    mode: Mode,
    effort: z.string().optional(),
    cwd: z.string(),
    lane: z.string().optional(),
    title: z.string(),
    titleBy: TitleBy.optional(),
    /** The identity whose session it is. */
    identity: z.string().optional(),
    parent: SessionId.optional(),
    /** The last event of the parent that a fork knows of. */
    forkedAt: z.number().int().optional(),
    /** Names of the environment variables that the session adds; the values are kept out of the log. */
    env: z.array(z.string()).optional(),
    /** Words that stand before the whole conversation. */
    instructions: z.string().optional(),
    /** Another session's agent began it. */
    spawn: Spawn.optional(),
    origin: z.string().default("api"),
  }),
  /** Only the fields that changed. `null` takes a value away. */
  "session.updated": z.object({
    patch: z.object({
      title: z.string().optional(),
      titleBy: TitleBy.optional(),
      summary: z.string().optional(),
      summaryBy: SummaryBy.optional(),
      model: z.string().nullable().optional(),
      mode: Mode.optional(),
      /** The rung that the agent really runs on: the nearest lower one where it lacks the wanted rung. */
      modeApplied: Mode.optional(),
      effort: z.string().nullable().optional(),
      agent: AgentId.optional(),
      /** Native conversation ids, by agent, for resuming. */
      handles: z.record(z.string(), z.string().nullable()).optional(),
      grants: z.array(Grant).optional(),
      /** Another folder, for a session whose own is not on this machine. */
      cwd: z.string().optional(),
      origin: z.string().optional(),
      archived: z.boolean().optional(),
      /** A handoff that follows as soon as nothing runs any more. */
      /** It is no identity's any more. */
      identity: z.null().optional(),
      handingTo: HandoffRequest.nullable().optional(),
      /** Does it go on by itself after a limit? `null`: as all sessions do. */
      autoResume: z.boolean().nullable().optional(),
      /** What it may cost. `null`: what every session may. */
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
  }),
  /**
   * What the turn changed. With `before` or `after`, commits that hold the work tree at its begin and its end, it is
   * Gantry's own and exact: `before` alone when the turn begins, both some moments after it ended. Without, the agent's.
   */
  "diff.updated": z.object({
    turn: TurnId.optional(),
    files: z.array(FileChange),
    before: z.string().optional(),
    after: z.string().optional(),
    /** How much changed, where `files` does not list all of it. */
    total: z.object({ files: z.number().int(), additions: z.number().int(), deletions: z.number().int() }).optional(),
    /** Sessions that worked in the same folder at the same time. */
    shared: z.array(SessionId).optional(),
    /** Files were put back, by whom `undo` takes it back; `turn` is the one that they were of. */
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
    /** `user`, `schedule:<id>`, or `session:<id>` for what another session says or has come to. */
    author: z.string().default("user"),
    delivery: Delivery.default("auto"),
  }),
  "message.delivery": z.object({
    message: MessageId,
    state: DeliveryState,
    /** Place in the queue, from 0. */
    position: z.number().int().optional(),
    /** The new text of an edited message; of one that the agent had and that waits again, the text as it was. */
    text: z.string().optional(),
    attachments: z.array(Attachment).optional(),
    author: z.string().optional(),
    /** How often an agent had it before and did nothing with it. */
    tries: z.number().int().optional(),
    reason: z.string().optional(),
  }),
};
