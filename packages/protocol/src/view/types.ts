import type { Comment } from "../comments/schema.ts";
import type { Attachment } from "../content/schema.ts";
import type { ControlValues } from "../controls/schema.ts";
import type { ContextPart } from "../events/condition.ts";
import type { Envelope } from "../events/envelope.ts";
import type { Delivery, QueueState, Spawn, SummaryBy, TitleBy } from "../events/session.ts";
import type { FailureCategory } from "../failures/schema.ts";
import type { HandoffRequest } from "../handoff/schema.ts";
import type { Grant, InputRequest } from "../inputs/schema.ts";
import type { SessionLimit } from "../limits/schema.ts";
import type { Mode, UnenforcedModes } from "../modes/schema.ts";
import type { LastLine } from "../sessions/schema.ts";
import type { Task } from "../tasks/schema.ts";
import type { Budget, Cost, Usage } from "../usage/schema.ts";

export type QueuedMessage = {
  message: string;
  text: string;
  attachments: Attachment[];
  delivery: Delivery;
  author?: string;
  /** How often it was sent to an agent without effect. */
  tries?: number;
};

/** A message that was sent to the agent and is not acknowledged yet. */
export type SentMessage = QueuedMessage & { turn?: string };

export type OpenTool = {
  item: string;
  name: string;
  kind: string;
  title: string;
  path?: string;
  parent?: string;
  /** A person or a grant allowed the call. */
  approved?: true;
};

export type OpenSubagent = { id: string; title: string; parent?: string };

/** A pending input with the agent's request id, which the answer needs. */
export type PendingInput = InputRequest & { native?: string };

/** `stopping`: the agent was asked to stop it. */
export type CurrentTurn = { id: string; startedAt: string; trigger: string; messages: string[]; stopping?: true };

/** A handoff in progress, with the state that a failed handoff restores. */
export type OpenHandoff = Pick<Envelope<"handoff.started">["data"], "id" | "from" | "to" | "strategy" | "message"> & {
  /** Its sequence number in the log. */
  seq?: number;
  /** Internal, like `seq`: clients do not see it. */
  before?: Pick<SessionView, (typeof OF_AGENT)[number]>;
};

/** The fields of a session that belong to its agent. */
export const OF_AGENT = [
  "agent",
  "model",
  "mode",
  "modeApplied",
  "modeConfirmed",
  "modeNative",
  "unenforced",
  "effort",
  "controls",
  "controlsApplied",
  "controlChoices",
  "plugins",
  "handles",
  "servedModel",
  "context",
  "commandsAt",
] as const;

/**
 * The state of a session at a point of its log: the fold of its events. Its size is bounded, independent of the length of
 * the log. Engine, inbox, lists and clients read it; everything in it derives from the log.
 */
export type SessionView = {
  id: string;
  agent: string;
  model?: string;
  mode: Mode;
  modeApplied?: Mode;
  /** The agent reported `modeApplied`; otherwise it is only the request. */
  modeConfirmed?: boolean;
  modeNative?: string;
  unenforced?: UnenforcedModes;
  /** The turn in which a person approved a plan: the mode that the agent reports next is the session's. */
  planApproved?: string;
  effort?: string;
  /** The requested native controls. */
  controls?: ControlValues;
  /** What the agent reports: all native controls, and choices and plugins that it found. */
  controlsApplied?: ControlValues;
  controlChoices?: Record<string, string[]>;
  plugins?: string[];
  cwd: string;
  lane?: string;
  /** Further folders in which the agent may work. */
  folders?: string[];
  /** The names of the MCP servers that only this session has. */
  servers?: string[];
  title: string;
  /** The origin of the title; absent in old logs. A person's title is never replaced. */
  titleBy?: TitleBy;
  /** The identity that owns the session. */
  identity?: string;
  instructions?: string;
  parent?: string;
  /** How it was created: `api`, `fork`, `import` … */
  origin?: string;
  /** For a fork: the last event of the parent that it includes. */
  forkedAt?: number;
  spawn?: Spawn;
  archived: boolean;
  ended?: string;
  turn?: CurrentTurn;
  lastTurn?: { id: string; outcome: string; endedAt: string; error?: unknown; ttftMs?: number };
  turns: number;
  queue: QueuedMessage[];
  /** Absent: `running`. */
  queueState?: QueueState;
  sent: SentMessage[];
  inputs: PendingInput[];
  tools: OpenTool[];
  subagents: OpenSubagent[];
  /** Running background tasks and the last ended ones; absent without any. */
  tasks?: Task[];
  /** Comments on the changes, bounded by `COMMENT_LIMITS`; absent without any. */
  comments?: Comment[];
  grants: Grant[];
  handles: Record<string, string>;
  /** A handoff that starts when the running turn has ended. */
  handingTo?: HandoffRequest;
  /** A handoff that the next agent has not accepted yet. */
  handoff?: OpenHandoff;
  /** For each previous agent, the `seq` of the handoff away from it: its context ends there. */
  leftAt?: Record<string, number>;
  /** The limit that prevents the next turn. */
  limit?: SessionLimit;
  /** Whether it resumes automatically after a limit. Absent: the daemon's setting. */
  autoResume?: boolean;
  /** Its cost limit; absent: the daemon's setting. */
  budget?: Budget;
  stalled?: { since: string; reason: string };
  /** The category of the last `error` event in the running turn. */
  trouble?: FailureCategory;
  usage: Usage;
  cost?: Cost;
  /** The number of turns with tokens but without a known cost. */
  unpriced?: number;
  context?: { used: number; size?: number; parts?: ContextPart[] };
  /** The `seq` of the last compaction. */
  compactedAt?: number;
  servedModel?: string;
  /** A person made it the lead of the sessions that it started. */
  lead?: boolean;
  /** The texts of notices that are shown once per session, about features that it lacks. */
  withheld?: string[];
  /** One or two sentences about the last turn. */
  summary?: string;
  summaryBy?: SummaryBy;
  tally?: Tally;
  raw: number;
  /** The newest line for the session's card. */
  last?: LastLine;
  /** The last event of the conversation; `updatedAt` is its time. Absent in views of older logs. */
  activity?: { seq: number; at: string };
  /** The `seq` of the event with the agent's slash commands, which are too large for the view. */
  commandsAt?: number;
  /** The `seq` of the last plan that the agent proposed, and of its current steps: both are too large for the view. */
  planAt?: number;
  todosAt?: number;
  lastSeq: number;
  createdAt: string;
  updatedAt: string;
};

export type SessionState = "idle" | "running" | "waiting" | "limited" | "ended";

/** What a running turn has done so far; the summary at its end is built from it. */
export type Tally = {
  /** The first sentence of the last message. */
  answer?: string;
  final?: true;
  /** Distinct paths, at most `MOST_FILES`. */
  files: string[];
  commands: number;
};
