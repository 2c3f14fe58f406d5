import { z } from "zod";
import { Failure } from "../failures/schema.ts";
import { HandoffStrategy, Receipt } from "../handoff/schema.ts";
import { AgentId, HandoffId, InputId, LimitId, MessageId } from "../ids/schema.ts";
import { Answers, Decision, InputRequest } from "../inputs/schema.ts";
import { Mode } from "../modes/schema.ts";

export const inputEvents = {
  "input.requested": InputRequest,
  "input.resolved": z.object({
    id: InputId,
    decision: Decision,
    option: z.string().optional(),
    /** Without the answers to secret questions. */
    answers: Answers.optional(),
    edits: z.record(z.string(), z.unknown()).optional(),
    message: z.string().optional(),
    /** `user`, `grant:<id>`, `agent` (it withdrew the question) or `gantry` (it went stale). */
    by: z.string(),
    reason: z.string().optional(),
  }),
};

export const contextEvents = {
  "context.usage": z.object({
    used: z.number().int(),
    size: z.number().int().optional(),
    origin: z.string().optional(),
  }),
  "context.compacted": z.object({
    trigger: z.enum(["auto", "manual", "overflow"]).optional(),
    before: z.number().int().optional(),
    after: z.number().int().optional(),
    /** We concluded it; the agent did not say it. */
    inferred: z.boolean().default(false),
  }),
};

export const Command = z.object({
  name: z.string(),
  description: z.string().optional(),
  hint: z.string().optional(),
});

export type Command = z.infer<typeof Command>;

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
  /** The session changes its agent. `message` carries the brief to the next one; `prompt` is what the user said with it. */
  "handoff.started": z.object({ ...handoff, message: MessageId.optional(), prompt: z.string().optional() }),
  /** `completed`: the next agent works on it. Otherwise the session is back with the agent that it had. */
  "handoff.ended": z.object({
    ...handoff,
    outcome: z.enum(["completed", "failed", "cancelled"]),
    reason: z.string().optional(),
  }),
};

const limit = {
  /** Whose limit it is; `gantry` for a budget. */
  provider: z.string(),
  account: z.string().optional(),
  /** Which of the provider's limits, such as `five_hour`; of a budget, `day` or `session`. */
  window: z.string().optional(),
  resetsAt: z.iso.datetime().optional(),
  /** Who said so: `agent`, `failure`, `retry` or `budget`. */
  source: z.string().optional(),
  /** The limit in the list of all of them. */
  limit: LimitId.optional(),
  /** When it is tried again. */
  nextTryAt: z.iso.datetime().optional(),
  /** Does the session go on by itself then? */
  autoResume: z.boolean().optional(),
  /** What a person can do, where that is not plain. */
  text: z.string().optional(),
};

export const limitEvents = {
  "limit.reached": z.object(limit),
  "limit.cleared": z.object(limit),
};

export const noticeEvents = {
  notice: z.object({ kind: z.string(), severity: z.enum(["info", "warning", "error"]), text: z.string() }),
  /** Something failed; the turn may still go on. */
  error: Failure,
};

export const healthEvents = {
  "health.stalled": z.object({ since: z.iso.datetime(), reason: z.string(), actions: z.array(z.string()) }),
  "health.recovered": z.object({ since: z.iso.datetime(), reason: z.string(), actions: z.array(z.string()) }),
};

export const rawEvents = {
  /** What no decoder knows, kept as it came. */
  raw: z.object({ channel: z.string(), frame: z.unknown(), reason: z.string().optional() }),
};
