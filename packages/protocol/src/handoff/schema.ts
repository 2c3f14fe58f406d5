import { z } from "zod";
import { ControlValues } from "../controls/schema.ts";
import { AgentId, HandoffId, ModelId, SessionId } from "../ids/schema.ts";
import { Mode } from "../modes/schema.ts";

/** How context is transferred to the next agent: a copy of the conversation, the conversation itself, or a written brief. */
export const HandoffStrategy = z.enum(["fork", "resume", "brief"]);

export type HandoffStrategy = z.infer<typeof HandoffStrategy>;

/**
 * The source of a line of a brief: the event `seq` contains `quote`, which is part of the line. `session` is set if the event
 * is in the log of the session that this one was forked from.
 */
export const Receipt = z.object({
  line: z.string(),
  seq: z.number().int(),
  quote: z.string().optional(),
  session: SessionId.optional(),
});

export type Receipt = z.infer<typeof Receipt>;

const longText = z.string().min(1, "must not be empty").max(1_000_000);

/** The request of a client. */
export const HandoffBody = z.strictObject({
  /** The next agent. The current agent restarts in a new process with another model. */
  agent: AgentId,
  model: ModelId.optional(),
  mode: Mode.optional(),
  effort: z
    .string()
    .regex(/^[a-z]{1,20}$/, "must be a word such as low, medium or high")
    .optional(),
  /** Native controls of the next agent, by id. */
  controls: ControlValues.optional(),
  strategy: z.enum(["auto", ...HandoffStrategy.options]).optional(),
  /** Replaces the brief that is generated from the log. */
  brief: longText.optional(),
  /** The task for the next agent. */
  prompt: longText.optional(),
  /** Interrupts the running turn and cancels pending inputs; without it they block the handoff. */
  interrupt: z.boolean().optional(),
});

export type HandoffBody = z.infer<typeof HandoffBody>;

/** The request as the log stores it until the handoff starts. */
export const HandoffRequest = z.object({
  id: HandoffId,
  agent: AgentId,
  model: z.string().optional(),
  mode: Mode.optional(),
  effort: z.string().optional(),
  controls: ControlValues.optional(),
  strategy: z.enum(["auto", ...HandoffStrategy.options]).optional(),
  brief: z.string().optional(),
  prompt: z.string().optional(),
  /** `session:<id>` if its lead requested it. */
  by: z.string().optional(),
});

export type HandoffRequest = z.infer<typeof HandoffRequest>;

/** The plan of a handoff and its reason. `blocked` names what prevents it now. */
export const HandoffPlan = z.object({
  from: AgentId,
  to: AgentId,
  strategy: HandoffStrategy,
  why: z.string(),
  brief: z.string(),
  receipts: z.array(Receipt),
  model: z.string().optional(),
  mode: Mode,
  /** The mode that the next agent supports. */
  modeApplied: Mode,
  effort: z.string().optional(),
  controls: ControlValues.optional(),
  /** What the next agent does not get, as readable text. */
  dropped: z.array(z.string()),
  blocked: z.string().optional(),
});

export type HandoffPlan = z.infer<typeof HandoffPlan>;

/** `waiting`: the running turn is being interrupted; the handoff starts when it has ended. */
export const Handoff = z.object({
  id: HandoffId,
  from: AgentId,
  to: AgentId,
  strategy: HandoffStrategy.optional(),
  state: z.enum(["waiting", "started", "failed"]),
  reason: z.string().optional(),
});

export type Handoff = z.infer<typeof Handoff>;
