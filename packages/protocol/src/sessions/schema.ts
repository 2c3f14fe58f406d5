import { z } from "zod";
import { ConversationId } from "../agents/conversations.ts";
import { Attachment } from "../content/schema.ts";
import { Command } from "../events/condition.ts";
import { Delivery, Spawn, SummaryBy, TitleBy } from "../events/session.ts";
import { Handoff, HandoffRequest, HandoffStrategy } from "../handoff/schema.ts";
import { AgentId, HandoffId, MessageId, ModelId, SessionId } from "../ids/schema.ts";
import { InputRequest } from "../inputs/schema.ts";
import { SessionLimit } from "../limits/schema.ts";
import { Mode } from "../modes/schema.ts";
import { Budget, Cost, Usage } from "../usage/schema.ts";

const text = z.string().min(1, "must not be empty").max(1_000_000);

const title = z.string().trim().min(1).max(200);

const effort = z.string().regex(/^[a-z]{1,20}$/, "must be a word such as low, medium or high");

/** Variables that would let a session reach into the daemon or the loader of every child. */
const FORBIDDEN_ENV = /^(LD_|DYLD_|NODE_OPTIONS$|GANTRY_)/;

const Env = z.record(
  z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "must be the name of an environment variable")
    .refine((name) => !FORBIDDEN_ENV.test(name), "is not a variable that a session may set"),
  z.string().max(32_768),
);

export const CreateSession = z.strictObject({
  id: SessionId.optional(),
  agent: AgentId,
  model: ModelId.optional(),
  mode: Mode.optional(),
  effort: effort.optional(),
  cwd: z.string().max(4096).optional(),
  lane: z.string().max(200).optional(),
  title: title.optional(),
  env: Env.optional(),
  /** Words that stand before the whole conversation, by the agent's own means where it has one. */
  instructions: z.string().max(100_000).optional(),
  /** A conversation of the agent's own to go on with, by the agent's id of it. */
  resume: ConversationId.optional(),
  prompt: text.optional(),
  attachments: z.array(Attachment).max(20).optional(),
  /** Begun by another session's agent: is that one told of its end? It is, unless this says no. */
  wake: z.boolean().optional(),
});

export type CreateSession = z.infer<typeof CreateSession>;

export const PatchSession = z
  .strictObject({
    title: title.optional(),
    model: ModelId.optional(),
    mode: Mode.optional(),
    effort: effort.optional(),
    archived: z.boolean().optional(),
    /** Whether it goes on by itself after a limit; `null`: as all sessions do. */
    autoResume: z.boolean().nullable().optional(),
    /** What it may cost; `null`: what every session may. */
    budget: Budget.nullable().optional(),
  })
  .refine(
    (body) => Object.keys(body).length > 0,
    "name at least one of title, model, mode, effort, archived, autoResume, budget",
  );

export type PatchSession = z.infer<typeof PatchSession>;

export const Interrupt = z.strictObject({ queue: z.enum(["keep", "clear"]).optional() });

export const Interrupted = z.object({
  interrupted: z.boolean(),
  kept: z.array(MessageId),
  cancelled: z.array(MessageId),
});

export type Interrupted = z.infer<typeof Interrupted>;

const queued = z.object({
  message: MessageId,
  text: z.string(),
  attachments: z.array(Attachment),
  delivery: Delivery,
  /** `user`, `schedule:<id>` or `session:<id>`. */
  author: z.string().optional(),
  /** How often an agent had it before and did nothing with it, for a limit. */
  tries: z.number().int().optional(),
});

/** The last thing that was said or done in a session, in one line: what a card of it shows. */
export const LastLine = z.object({
  seq: z.number().int(),
  at: z.iso.datetime(),
  kind: z.enum(["user", "agent", "tool", "error", "notice"]),
  text: z.string(),
});

export type LastLine = z.infer<typeof LastLine>;

export const Session = z.object({
  id: SessionId,
  agent: AgentId,
  model: z.string().optional(),
  mode: Mode,
  modeApplied: Mode.optional(),
  effort: z.string().optional(),
  cwd: z.string(),
  lane: z.string().optional(),
  title: z.string(),
  /** Whose words the title is; what a person called it stays. */
  titleBy: TitleBy.optional(),
  /** One or two sentences on what was done last, and who wrote them. */
  summary: z.string().optional(),
  summaryBy: SummaryBy.optional(),
  /** The identity whose session it is. */
  identity: z.string().optional(),
  parent: SessionId.optional(),
  /** Where it comes from: `api`, `fork`, `import` … */
  origin: z.string().optional(),
  /** Of a fork: the last event of its parent that it knows of. */
  forkedAt: z.number().int().optional(),
  /** Where another session's agent began it. */
  spawn: Spawn.optional(),
  state: z.enum(["idle", "running", "waiting", "limited", "ended"]),
  archived: z.boolean(),
  turn: z
    .object({ id: z.string(), startedAt: z.string(), trigger: z.string(), messages: z.array(z.string()) })
    .optional(),
  lastTurn: z
    .object({ id: z.string(), outcome: z.string(), endedAt: z.string(), error: z.unknown().optional() })
    .optional(),
  turns: z.number().int(),
  queue: z.array(queued),
  inputs: z.array(InputRequest),
  usage: Usage,
  cost: Cost.optional(),
  /** Turns that took tokens and of which nobody knows what they cost. */
  unpriced: z.number().int().optional(),
  context: z.object({ used: z.number(), size: z.number().optional() }).optional(),
  stalled: z.object({ since: z.string(), reason: z.string() }).optional(),
  /** A handoff that waits for the end of what runs. */
  handingTo: HandoffRequest.omit({ brief: true }).optional(),
  /** A handoff that the next agent has not taken up yet. */
  handoff: z.object({ id: HandoffId, from: AgentId, to: AgentId, strategy: HandoffStrategy }).optional(),
  /** Why it starts no turn now. */
  limit: SessionLimit.optional(),
  /** Does it go on by itself after a limit? Absent: as all sessions do. */
  autoResume: z.boolean().optional(),
  budget: Budget.optional(),
  /** The model that really answered last, where the agent says it. */
  servedModel: z.string().optional(),
  /** The last thing that was said or done, in one line of at most 200 characters. */
  last: LastLine.optional(),
  /** The agent's slash commands, at most 200; only where one session is asked for, not in lists. */
  commands: z.array(Command).optional(),
  /** Frames that no decoder knew. */
  raw: z.number().int(),
  lastSeq: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  handles: z.record(z.string(), z.string()),
});

export type Session = z.infer<typeof Session>;

/** What of a change is in force now, and what waits for the agent's next start. */
export const Applied = z.object({
  session: Session,
  applied: z.array(
    z.object({ field: z.string(), value: z.unknown(), when: z.enum(["now", "next_turn", "next_start"]) }),
  ),
  /** The model is another agent's: the session was handed over to that one. */
  handoff: Handoff.optional(),
});

export type Applied = z.infer<typeof Applied>;

export const Item = z.object({
  item: z.string(),
  open: z.boolean(),
  kind: z.enum(["message", "reasoning", "tool", "unknown"]),
  /** What has been said or printed so far, or finally, in full. */
  text: z.string(),
  events: z.array(z.unknown()),
});

export type Item = z.infer<typeof Item>;
