import { z } from "zod";
import { Comment, CommentReason } from "../comments/schema.ts";
import { Failure } from "../failures/schema.ts";
import { HandoffStrategy, Receipt } from "../handoff/schema.ts";
import { AgentId, CommentId, HandoffId, InputId, LimitId, MessageId } from "../ids/schema.ts";
import { Answers, Decision, InputRequest } from "../inputs/schema.ts";
import { Mode } from "../modes/schema.ts";

export const inputEvents = {
  "input.requested": InputRequest,
  "input.resolved": z.object({
    id: InputId,
    decision: Decision,
    option: z.string().optional(),
    /** Answers to secret questions are omitted. */
    answers: Answers.optional(),
    edits: z.record(z.string(), z.unknown()).optional(),
    message: z.string().optional(),
    /** `user`, `session:<id>` (its lead), `grant:<id>`, `mode:<mode>`, `agent` (it withdrew the request) or `gantry` (the request became stale). */
    by: z.string(),
    reason: z.string().optional(),
  }),
};

/**
 * One part of the context, as the agent names it. `deferred` parts are loaded when they are needed, `buffer` is reserved
 * for compaction; only `used` parts count as used.
 */
export const ContextPart = z.object({
  name: z.string(),
  tokens: z.number().int(),
  kind: z.enum(["used", "deferred", "buffer", "free"]),
});

export type ContextPart = z.infer<typeof ContextPart>;

export const contextEvents = {
  "context.usage": z.object({
    used: z.number().int(),
    size: z.number().int().optional(),
    origin: z.string().optional(),
    /** What fills the context. Only after a request for it. */
    parts: z.array(ContextPart).optional(),
  }),
  "context.compacted": z.object({
    trigger: z.enum(["auto", "manual", "overflow"]).optional(),
    before: z.number().int().optional(),
    after: z.number().int().optional(),
    /** Inferred by Gantry, not reported by the agent. */
    inferred: z.boolean().default(false),
  }),
};

export const Command = z.object({
  name: z.string(),
  description: z.string().optional(),
  hint: z.string().optional(),
});

export type Command = z.infer<typeof Command>;

/** Comments on the changes. Only persons write them; Gantry moves them with their lines and resolves them. */
export const commentEvents = {
  "comment.added": Comment.pick({
    ...{ comment: true, path: true, line: true, endLine: true, side: true, text: true, quote: true },
    ...{ blob: true, change: true },
  }),
  /** Only the changed fields. `message`: it was sent with this message. */
  "comment.updated": Comment.pick({ line: true, blob: true, change: true, text: true, state: true, message: true })
    .extend({ outdated: z.boolean(), reason: CommentReason, endLine: z.number().int().min(1).nullable() })
    .partial()
    .extend({ comment: CommentId }),
  "comment.removed": z.object({ comment: CommentId }),
};

export const changeEvents = {
  "model.changed": z.object({ from: z.string().optional(), to: z.string(), reason: z.string().optional() }),
  "mode.changed": z.object({
    from: Mode.optional(),
    to: Mode,
    native: z.string().optional(),
    reason: z.string().optional(),
  }),
  "commands.changed": z.object({ list: z.array(Command) }),
};

const handoff = {
  id: HandoffId,
  from: AgentId,
  to: AgentId,
  strategy: HandoffStrategy,
  brief: z.string().optional(),
  receipts: z.array(Receipt).optional(),
};

export const handoffEvents = {
  /** The session changes its agent. `message` carries the brief to the next agent; `prompt` is the user's text. */
  "handoff.started": z.object({
    ...handoff,
    message: MessageId.optional(),
    prompt: z.string().optional(),
    /** `session:<id>` if its lead requested it. Absent: a person, or Gantry at a limit. */
    by: z.string().optional(),
  }),
  /** `completed`: the next agent has taken over. Otherwise the session is back with the previous agent. */
  "handoff.ended": z.object({
    ...handoff,
    outcome: z.enum(["completed", "failed", "cancelled"]),
    reason: z.string().optional(),
  }),
};

const limit = {
  /** The provider that set the limit; `gantry` for a budget. */
  provider: z.string(),
  account: z.string().optional(),
  /** The window of the limit, such as `five_hour`; for a budget, `day` or `session`. */
  window: z.string().optional(),
  resetsAt: z.iso.datetime().optional(),
  /** The origin of the report: `agent`, `failure`, `retry` or `budget`. */
  source: z.string().optional(),
  /** The id in the list of limits. */
  limit: LimitId.optional(),
  /** The time of the next retry. */
  nextTryAt: z.iso.datetime().optional(),
  /** Whether the session then resumes automatically. */
  autoResume: z.boolean().optional(),
  /** What a person can do, if that is not obvious. */
  text: z.string().optional(),
};

export const limitEvents = {
  "limit.reached": z.object(limit),
  "limit.cleared": z.object(limit),
};

export const noticeEvents = {
  notice: z.object({ kind: z.string(), severity: z.enum(["info", "warning", "error"]), text: z.string() }),
  /** A failure that does not necessarily end the turn. */
  error: Failure,
};

export const healthEvents = {
  "health.stalled": z.object({ since: z.iso.datetime(), reason: z.string(), actions: z.array(z.string()) }),
  "health.recovered": z.object({ since: z.iso.datetime(), reason: z.string(), actions: z.array(z.string()) }),
};

export const rawEvents = {
  /** A frame that no decoder knows, stored unchanged. */
  raw: z.object({ channel: z.string(), frame: z.unknown(), reason: z.string().optional() }),
};
