import type { Attachment } from "../content/schema.ts";
import type { Envelope } from "../events/envelope.ts";
import type { Delivery, Spawn, SummaryBy, TitleBy } from "../events/session.ts";
import type { FailureCategory } from "../failures/schema.ts";
import type { HandoffRequest } from "../handoff/schema.ts";
import type { Grant, InputRequest } from "../inputs/schema.ts";
import type { SessionLimit } from "../limits/schema.ts";
import type { Mode } from "../modes/schema.ts";
import type { LastLine } from "../sessions/schema.ts";
import type { Budget, Cost, Usage } from "../usage/schema.ts";

export type QueuedMessage = {
  message: string;
  text: string;
  attachments: Attachment[];
  delivery: Delivery;
  author?: string;
  /** How often an agent had it before and did nothing with it. */
  tries?: number;
};

/** A message that has been handed to the agent and that the agent has not taken up yet. */
export type SentMessage = QueuedMessage & { turn?: string };

export type OpenTool = { item: string; name: string; kind: string; title: string; path?: string; parent?: string };

export type OpenSubagent = { id: string; title: string };

/** A pending input with the agent's own name for it, which the answer needs. */
export type PendingInput = InputRequest & { native?: string };

export type CurrentTurn = { id: string; startedAt: string; trigger: string; messages: string[] };

/** A handoff under way, with what the session goes back to if nothing comes of it. */
export type OpenHandoff = Pick<Envelope<"handoff.started">["data"], "id" | "from" | "to" | "strategy" | "message"> & {
  /** Its place in the log. */
  seq?: number;
  /** Not told to clients, and neither is `seq`. */
  before?: Pick<SessionView, (typeof OF_AGENT)[number]>;
};

/** What of a session belongs to its agent. */
export const OF_AGENT = [
  "agent",
  "model",
  "mode",
  "modeApplied",
  "effort",
  "handles",
  "servedModel",
  "context",
  "commandsAt",
] as const;

/**
 * What a session is at a point of its log: the fold of its events, bounded in size however long the log grows.
 * Engine, inbox, lists and clients all read this one; nothing in it is stored that the log does not say.
 */
export type SessionView = {
  id: string;
  agent: string;
  model?: string;
  mode: Mode;
  modeApplied?: Mode;
  effort?: string;
  cwd: string;
  lane?: string;
  title: string;
  /** Whose words the title is; what a person called it stays. Logs from before this was kept do not say. */
  titleBy?: TitleBy;
  /** The identity whose session it is. */
  identity?: string;
  instructions?: string;
  parent?: string;
  /** Where it comes from: `api`, `fork`, `import` … */
  origin?: string;
  /** The last event of the parent that a fork knows of. */
  forkedAt?: number;
  spawn?: Spawn;
  archived: boolean;
  ended?: string;
  turn?: CurrentTurn;
  lastTurn?: { id: string; outcome: string; endedAt: string; error?: unknown };
  turns: number;
  queue: QueuedMessage[];
  sent: SentMessage[];
  inputs: PendingInput[];
  tools: OpenTool[];
  subagents: OpenSubagent[];
  grants: Grant[];
  handles: Record<string, string>;
  /** A handoff that waits for the end of what runs. */
  handingTo?: HandoffRequest;
  /** A handoff that the next agent has not taken up yet. */
  handoff?: OpenHandoff;
  /** How far each agent that the session was handed away from has followed it: the `seq` of that handoff. */
  leftAt?: Record<string, number>;
  /** What keeps the session from starting a turn. */
  limit?: SessionLimit;
  /** Does it go on by itself after a limit? Absent: as all sessions do. */
  autoResume?: boolean;
  /** What it may cost; absent: what every session may. */
  budget?: Budget;
  stalled?: { since: string; reason: string };
  /** What went wrong last in the running turn, as told by an event of its own. */
  trouble?: FailureCategory;
  usage: Usage;
  cost?: Cost;
  /** Turns that took tokens and of which nobody knows what they cost. */
  unpriced?: number;
  context?: { used: number; size?: number };
  /** The last event that told of a compaction. */
  compactedAt?: number;
  servedModel?: string;
  /** What the user was told that the session goes without: notices that are said once. */
  withheld?: string[];
  /** One or two sentences on what was done last. */
  summary?: string;
  summaryBy?: SummaryBy;
  tally?: Tally;
  raw: number;
  /** The newest line for a card of the session. */
  last?: LastLine;
  /** The event that holds the agent's slash commands: they are too many to be kept with every view. */
  commandsAt?: number;
  lastSeq: number;
  createdAt: string;
  updatedAt: string;
};

export type SessionState = "idle" | "running" | "waiting" | "limited" | "ended";

/** What a running turn has done so far, for the summary at its end. */
export type Tally = {
  /** The first sentence of the last thing that was said. */
  answer?: string;
  final?: true;
  /** Different ones, no more of them than `MOST_FILES`. */
  files: string[];
  commands: number;
};
