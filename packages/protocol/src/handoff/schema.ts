import { z } from "zod";
import { AgentId, HandoffId, ModelId, SessionId } from "../ids/schema.ts";
import { Mode } from "../modes/schema.ts";

/** How the next agent comes by what was said: a copy of the conversation, the conversation itself, or words about it. */
export const HandoffStrategy = z.enum(["fork", "resume", "brief"]);

export type HandoffStrategy = z.infer<typeof HandoffStrategy>;

/**
 * A line of a brief and the event that it was taken from: that event holds `quote`, which is part of the line. `session` is
 * named where the event is not of this one but of the session that it was forked from.
 */
export const Receipt = z.object({
  line: z.string(),
  seq: z.number().int(),
  quote: z.string().optional(),
  session: SessionId.optional(),
});

export type Receipt = z.infer<typeof Receipt>;

const words = z.string().min(1, "must not be empty").max(1_000_000);

/** What a client asks for. */
export const HandoffBody = z.strictObject({
  /** The agent that is to go on; the session's own one for a fresh process with another model. */
  agent: AgentId,
  model: ModelId.optional(),
  mode: Mode.optional(),
  effort: z
    .string()
    .regex(/^[a-z]{1,20}$/, "must be a word such as low, medium or high")
    .optional(),
  strategy: z.enum(["auto", ...HandoffStrategy.options]).optional(),
  /** The brief in words of one's own, in place of the one that is made from the log. */
  brief: words.optional(),
  /** What the next agent is to do. */
  prompt: words.optional(),
  /** Stop what runs and take back what is asked; without it that stands in the way. */
  interrupt: z.boolean().optional(),
});

export type HandoffBody = z.infer<typeof HandoffBody>;

/** The same as it is kept in the log until it is carried out. */
export const HandoffRequest = z.object({
  id: HandoffId,
  agent: AgentId,
  model: z.string().optional(),
  mode: Mode.optional(),
  effort: z.string().optional(),
  strategy: z.enum(["auto", ...HandoffStrategy.options]).optional(),
  brief: z.string().optional(),
  prompt: z.string().optional(),
});

export type HandoffRequest = z.infer<typeof HandoffRequest>;

/** What a handoff would be, and why. `blocked` says what stands in its way right now. */
export const HandoffPlan = z.object({
  from: AgentId,
  to: AgentId,
  strategy: HandoffStrategy,
  why: z.string(),
  brief: z.string(),
  receipts: z.array(Receipt),
  model: z.string().optional(),
  mode: Mode,
  /** The rung that the next agent really runs on. */
  modeApplied: Mode,
  effort: z.string().optional(),
  /** What the next agent goes without, for people to read. */
  dropped: z.array(z.string()),
  blocked: z.string().optional(),
});

export type HandoffPlan = z.infer<typeof HandoffPlan>;

/** `waiting`: the turn that runs is being interrupted, and the handoff follows when it has ended. */
export const Handoff = z.object({
  id: HandoffId,
  from: AgentId,
  to: AgentId,
  strategy: HandoffStrategy.optional(),
  state: z.enum(["waiting", "started", "failed"]),
  reason: z.string().optional(),
});

export type Handoff = z.infer<typeof Handoff>;
