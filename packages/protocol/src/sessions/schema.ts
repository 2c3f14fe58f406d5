import { z } from "zod";
import { ConversationId } from "../agents/conversations.ts";
import { Comment } from "../comments/schema.ts";
import { Attachment } from "../content/schema.ts";
import { ControlChanges, ControlValues } from "../controls/schema.ts";
import { RequestVariables } from "../environment/variables.ts";
import { Command, ContextPart } from "../events/condition.ts";
import { Delivery, QueueState, Spawn, SummaryBy, TitleBy } from "../events/session.ts";
import { ExtraFolders } from "../files/schema.ts";
import { Handoff, HandoffRequest, HandoffStrategy } from "../handoff/schema.ts";
import { AgentId, HandoffId, MessageId, ModelId, SessionId } from "../ids/schema.ts";
import { InputRequest } from "../inputs/schema.ts";
import { SessionServers } from "../kit/schema.ts";
import { SessionLimit } from "../limits/schema.ts";
import { Mode, UnenforcedModes } from "../modes/schema.ts";
import { Task } from "../tasks/schema.ts";
import { Budget, Cost, Usage } from "../usage/schema.ts";

const text = z.string().min(1, "must not be empty").max(1_000_000);

const title = z.string().trim().min(1).max(200);

const effort = z.string().regex(/^[a-z]{1,20}$/, "must be a word such as low, medium or high");

export const CreateSession = z.strictObject({
  id: SessionId.optional(),
  /** Default: the project's or the user's default agent, the one last used in the folder, or the only one that is ready. */
  agent: AgentId.optional(),
  /** `null` here, in `mode`, in `effort` and in a control: not the configured default, but the agent's or the built-in one. */
  model: ModelId.nullable().optional(),
  mode: Mode.nullable().optional(),
  effort: effort.nullable().optional(),
  /** Native controls of the agent, by id. */
  controls: ControlChanges.optional(),
  cwd: z.string().max(4096).optional(),
  lane: z.string().max(200).optional(),
  /** Further folders in which the agent may work, within the limits of the mode. */
  folders: ExtraFolders.optional(),
  title: title.optional(),
  env: RequestVariables.optional(),
  /** MCP servers of this session only. */
  servers: SessionServers.optional(),
  /** Pinned instructions, passed by the agent's own mechanism if it has one. */
  instructions: z.string().max(100_000).optional(),
  /** The id of an existing conversation of the agent to continue. */
  resume: ConversationId.optional(),
  prompt: text.optional(),
  attachments: z.array(Attachment).max(20).optional(),
  /** For a spawned session: whether the parent is notified when it becomes idle. Default: true. */
  wake: z.boolean().optional(),
});

export type CreateSession = z.infer<typeof CreateSession>;

export const PatchSession = z
  .strictObject({
    title: title.optional(),
    /** `null`: the agent's own choice again, also for `effort`. */
    model: ModelId.nullable().optional(),
    mode: Mode.optional(),
    effort: effort.nullable().optional(),
    controls: ControlChanges.optional(),
    archived: z.boolean().optional(),
    /** Whether it resumes automatically after a limit; `null`: the daemon's setting. */
    autoResume: z.boolean().nullable().optional(),
    /** Its cost limit; `null`: the daemon's setting. */
    budget: Budget.nullable().optional(),
    /** Replaces the further folders. Not while a turn runs. */
    folders: ExtraFolders.optional(),
    /** Replaces the MCP servers of this session. The agent gets them with its next start. */
    servers: SessionServers.optional(),
    /** Lets its agent answer, hand off and land for the sessions that it started. Only a person may set it. */
    lead: z.boolean().optional(),
  })
  .refine(
    (body) => Object.keys(body).length > 0,
    "name at least one of title, model, mode, effort, controls, archived, autoResume, budget, folders, servers, lead",
  );

export type PatchSession = z.infer<typeof PatchSession>;

/** What happens to queued messages and to steers that the agent has not read. Default: `pause`. */
export const Interrupt = z.strictObject({ queue: z.enum(["pause", "keep", "clear"]).optional() });

export type QueueOnStop = NonNullable<z.infer<typeof Interrupt>["queue"]>;

export const ChangeQueue = z.strictObject({ state: QueueState });

export const Interrupted = z.object({
  interrupted: z.boolean(),
  /** Whether the queue is paused now. A queue without messages is not paused. */
  paused: z.boolean(),
  kept: z.array(MessageId), // prose-ignore: a fixed JSON field
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
  /** How often it was sent to an agent without effect, because of a limit. */
  tries: z.number().int().optional(),
});

/** The last message or action of a session as one line, for a card. */
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
  /** The mode that applies. With `inherit`, the one that the agent's own configuration sets, once the agent reported it. */
  modeApplied: Mode.optional(),
  /** True: the agent itself reported `modeApplied`. False or absent: unconfirmed, Gantry only requested it. */
  modeConfirmed: z.boolean().optional(),
  /** The agent's own name for the mode. */
  modeNative: z.string().optional(),
  /** The agent's modes that cannot be enforced against its own configuration, each with the reason. */
  unenforced: UnenforcedModes.optional(),
  effort: z.string().optional(),
  /** The requested native controls. */
  controls: ControlValues.optional(),
  /** The native controls that the agent reports. */
  controlsApplied: ControlValues.optional(),
  /** Choices that the agent reports, for controls whose choices depend on the folder or the user. */
  controlChoices: z.record(z.string(), z.array(z.string())).optional(),
  /** The plugins that the agent loaded. */
  plugins: z.array(z.string()).optional(),
  cwd: z.string(),
  lane: z.string().optional(),
  /** Further folders in which the agent may work. */
  folders: z.array(z.string()).optional(),
  /** The names of the MCP servers that only this session has. */
  servers: z.array(z.string()).optional(),
  title: z.string(),
  /** The origin of the title. A person's title is never replaced. */
  titleBy: TitleBy.optional(),
  /** One or two sentences about the last turn, and their origin. */
  summary: z.string().optional(),
  summaryBy: SummaryBy.optional(),
  /** The identity that owns the session. */
  identity: z.string().optional(),
  parent: SessionId.optional(),
  /** How it was created: `api`, `fork`, `import` … */
  origin: z.string().optional(),
  /** For a fork: the last event of the parent that it includes. */
  forkedAt: z.number().int().optional(),
  /** Set if another session's agent spawned it. */
  spawn: Spawn.optional(),
  /** A person granted its agent to answer, hand off and land for the sessions below it. */
  lead: z.boolean().optional(),
  state: z.enum(["idle", "running", "waiting", "limited", "ended"]),
  archived: z.boolean(),
  turn: z
    .object({
      id: z.string(),
      startedAt: z.string(),
      trigger: z.string(),
      messages: z.array(z.string()),
      /** The agent was asked to stop it. */
      stopping: z.literal(true).optional(),
    })
    .optional(),
  lastTurn: z
    .object({
      id: z.string(),
      outcome: z.string(),
      endedAt: z.string(),
      error: z.unknown().optional(),
      /** From the start of the turn to the agent's first output. */
      ttftMs: z.number().int().optional(),
    })
    .optional(),
  turns: z.number().int(),
  queue: z.array(queued),
  /** `paused`: queued messages wait until the queue is resumed. */
  queueState: QueueState,
  /** Messages that were sent into the running turn and that the agent has not read. Absent: none. */
  steers: z.array(queued).optional(),
  inputs: z.array(InputRequest),
  /** Running background tasks and the last ended ones. A session with a running task is not released when idle. */
  tasks: z.array(Task).optional(),
  /** Comments on the changes: unresolved ones and the last resolved ones. */
  comments: z.array(Comment).optional(),
  usage: Usage,
  cost: Cost.optional(),
  /** The number of turns with tokens but without a known cost. */
  unpriced: z.number().int().optional(),
  /** How full the agent's context is; `parts`: what fills it, if that was requested since the last turn. */
  context: z
    .object({ used: z.number(), size: z.number().optional(), parts: z.array(ContextPart).optional() })
    .optional(),
  stalled: z.object({ since: z.string(), reason: z.string() }).optional(),
  /** A handoff that starts when the running turn has ended. */
  handingTo: HandoffRequest.omit({ brief: true }).optional(),
  /** A handoff that the next agent has not accepted yet. */
  handoff: z.object({ id: HandoffId, from: AgentId, to: AgentId, strategy: HandoffStrategy }).optional(),
  /** The limit that prevents the next turn. */
  limit: SessionLimit.optional(),
  /** Whether it resumes automatically after a limit. Absent: the daemon's setting. */
  autoResume: z.boolean().optional(),
  budget: Budget.optional(),
  /** The model that served the last turn, if the agent reports it. */
  servedModel: z.string().optional(),
  /** The last message or action as one line of at most 200 characters. */
  last: LastLine.optional(),
  /** The last event of the conversation. System notes and comments change `lastSeq`, but neither this nor `updatedAt`. */
  activity: z.object({ seq: z.number().int(), at: z.iso.datetime() }).optional(),
  /** The `seq` of the event with the last plan that the agent proposed for approval. */
  planAt: z.number().int().optional(),
  /** The `seq` of the event with the agent's current steps. */
  todosAt: z.number().int().optional(),
  /** The agent's slash commands, at most 200. Lists omit them. */
  commands: z.array(Command).optional(),
  /** The number of frames that no decoder knows. */
  raw: z.number().int(),
  lastSeq: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  handles: z.record(z.string(), z.string()),
});

export type Session = z.infer<typeof Session>;

/** Which changes are in effect now, and which wait for the agent's next start. */
export const Applied = z.object({
  session: Session,
  applied: z.array(
    z.object({ field: z.string(), value: z.unknown(), when: z.enum(["now", "next_turn", "next_start"]) }),
  ),
  /** Set if the model belongs to another agent: the session was handed off. */
  handoff: Handoff.optional(),
});

export type Applied = z.infer<typeof Applied>;

export const Item = z.object({
  item: z.string(),
  open: z.boolean(),
  kind: z.enum(["message", "reasoning", "tool", "unknown"]),
  /** The full text, so far or final. */
  text: z.string(),
  events: z.array(z.unknown()),
});

export type Item = z.infer<typeof Item>;
