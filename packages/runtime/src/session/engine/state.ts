import type {
  Attachment,
  Failure,
  IdKind,
  Mode,
  Offer,
  OpenItem,
  QueuedMessage,
  ReleaseReason,
  SessionView,
  TurnOutcome,
  Usage,
} from "@gantry/protocol";
import type { Channel } from "../../agents/contract.ts";
import type { LimitGate } from "../../limits/gate.ts";

/** Lines that could not be read since the last prompt. */
export type Unread = { lines: number; first: string };

/** Raw events since the last prompt, and those that were counted instead of stored. */
export type RawCount = { stored: number; collapsed?: { lines: number; bytes: number; first: string; last: string } };

/** The conversation with one agent process. Plain data except for the channel; the mark stores it. */
export type Conversation = {
  channel: Channel<never>;
  /** The decoder's state. */
  state: never;
  /** The handshake is done: the agent accepts prompts. */
  ready: boolean;
  /** Messages that were sent to this process. */
  prompted: readonly string[];
  /** Text that goes before the next prompt. */
  preface?: string;
  /** Hash of the pinned context inside `preface`. */
  pinnedHash?: string;
  /** The agent was asked to close the conversation: this process gets no more prompts. */
  closing?: true;
  /** The byte of stdout up to which the conversation is decoded. */
  offset: number;
  /** Output that could not be read since the last prompt. */
  unread?: Unread;
  rawCount?: RawCount;
  /** The line that the process has begun and not ended, when a deadline passed. */
  unfinished?: { bytes: number; head: string };
  /** The last line of stderr that looks like the reason of a failure. */
  complaint?: string;
};

/**
 * Waits that Gantry ends, not the agent. `trail`: output that may follow the end of a turn. `idle`: an unused process.
 * `lostOutput`: a part of the agent's output is missing, perhaps the end of the turn. `task`: a task that was asked to stop.
 */
export type DeadlineKind =
  | "handshake"
  | "firstOutput"
  | "silence"
  | "retry"
  | "turn"
  | "interrupt"
  | "lostOutput"
  | "settle"
  | "task"
  | "trail"
  | "idle";

/**
 * `at` is an absolute time in ms, so that a restart keeps the original deadline. `failure`: the agent's last retry notice.
 * `stage`: the request of the handshake that is not answered.
 */
export type Deadline = { at: number; seconds: number; failure?: Failure; stage?: string };
export type Deadlines = { readonly [Kind in DeadlineKind]?: Deadline };

/**
 * `held`: the end of the text, which may be the start of a token. It is not published until the next piece or the end.
 * `parent`: the tool call of the subagent that writes the text.
 */
export type StreamingItem = OpenItem & { held?: string; parent?: string };

/** What a step starts from and what it leaves. A crash restores it from the log, the view and the mark. */
export type EngineState = {
  view: SessionView;
  /** Items that are streaming, by `<item> <channel>`. */
  open: ReadonlyMap<string, StreamingItem>;
  /** Items that ended in the running turn. */
  closed: ReadonlySet<string>;
  conversation?: Conversation;
  deadlines: Deadlines;
  /** The turn whose first process ended during the handshake and was replaced. */
  restartedTurn?: string;
  /** The first output of the last turn that had any, in ms after the turn's start. */
  firstOutput?: FirstOutput;
};

export type FirstOutput = { turn: string; ms: number };

/** The state of a session without a process. */
export function initialState(view: SessionView, closed: ReadonlySet<string> = new Set()): EngineState {
  return { view, open: new Map(), closed, deadlines: {} };
}

export type DeadlineSettings = {
  /** For each stage of the handshake. */
  handshakeSeconds: number;
  /** For a stage that resumes a conversation; absent: `handshakeSeconds`. */
  resumeSeconds?: number;
  loginSeconds: number;
  firstOutputSeconds: number;
  silenceSeconds: number;
  retrySeconds: number;
  /** The retry deadline for a rate limit, where limits are enabled. */
  limitRetrySeconds?: number;
  interruptSeconds: number;
  lostOutputSeconds: number;
  turnSeconds: number;
  idleSeconds: number;
};

/** How a turn ended. */
export type TurnEnd = {
  outcome: TurnOutcome;
  reason?: string;
  usage?: Usage;
  cost?: { usd: number; source: "agent" | "list" };
  servedModel?: string;
  error?: Failure;
  durationMs?: number;
  ext?: unknown;
};

export type TurnTrigger = "user" | "queue" | "handoff" | "schedule";

/** Pinned context to send again with the next prompt. */
export type Injection = {
  text: string;
  /** Why it is sent again, for the log. */
  reason: string;
  injected: LastInjection;
};

/** The pinned context that an agent's conversation got last: its hash, and the last event before it. */
export type LastInjection = { hash: string; seq: number };

/** What the engine gets from outside. Nothing in the engine reads a clock, a file or a random number itself. */
export type EngineContext = {
  now(): string;
  id(kind: IdKind): string;
  agent: {
    id: string;
    name: string;
    steer: "inline" | "queue";
    provider: string;
    /** The agent accepts a changed tool input with an approval. */
    edits: boolean;
    /** Its permission modes. */
    offeredModes?: readonly Mode[];
    /** The modes in which Gantry allows what only the configuration of the agent asks for. */
    answeredModes?: readonly Mode[];
    loginOffer?: () => Offer | undefined;
  };
  /** The session is live: the agent must run in the requested mode. Recordings and histories state what happened. */
  enforcesModes?: boolean;
  queueLimit: number;
  /** Rate limits of the agent's account, and budgets. Without a gate, turns start at once. */
  gate?: LimitGate;
  /** The messages that the running turn got, with their latest text. */
  turnMessages?: (view: SessionView) => QueuedMessage[];
  /** Continue a turn that a limit cut off, once the limit is lifted. */
  continueAfterLimit?: boolean;
  /** List price in US dollars; `undefined` for an unknown model. */
  price?: (model: string, usage: Usage) => number | undefined;
  /** Without settings, no deadline is set. */
  deadlines?: DeadlineSettings;
  /** Fills in the bytes of attached images. */
  loadAttachments?: (attachments: readonly Attachment[]) => Attachment[];
  nextInjection?: (view: SessionView, channel: Channel<never>) => Injection | undefined;
};

/** Why Gantry ends a process. Every reason except `deleted` leaves the session resumable. */
export type StopReason = Exclude<ReleaseReason, "restart" | "exited" | "crashed"> | "deleted";

/** What the actor does after the commit, in this order. */
export type Effect =
  /** End the process without waiting for more output. */
  | { type: "stop"; reason: StopReason }
  /** Release the process the normal way: the agent may close the conversation first. */
  | { type: "release"; reason: StopReason }
  /** Carry out the handoff that the view holds as `handingTo`. */
  | { type: "handoff" }
  /** Build a brief from the log, then apply `resetConversation`. */
  | { type: "rebuild"; how: "rebuild" | "new" }
  /** End the processes of a task. `taskKilled` or `taskNotStopped` follows. */
  | { type: "endTask"; task: string }
  /** Wait before the next process is started. */
  | { type: "delayStart"; ms: number };

export type CommandResult = "sent" | "not connected" | "unsupported";
