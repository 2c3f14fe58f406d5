import { z } from "zod";
import { Failure } from "../failures.ts";
import { AgentId, InputId } from "../ids.ts";
import { Answers, Decision, InputRequest } from "../inputs.ts";
import { Mode } from "../modes.ts";

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
  from: AgentId,
  to: AgentId,
  strategy: z.enum(["fork", "resume", "brief"]),
  brief: z.string().optional(),
  receipts: z.array(z.object({ line: z.string(), seq: z.number().int() })).optional(),
};

export const handoffEvents = {
  "handoff.started": z.object(handoff),
  "handoff.ended": z.object({ ...handoff, outcome: z.enum(["completed", "failed", "cancelled"]) }),
};

const limit = {
  provider: z.string(),
  account: z.string().optional(),
  window: z.string().optional(),
  resetsAt: z.iso.datetime().optional(),
  source: z.string().optional(),
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
