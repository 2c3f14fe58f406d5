import type {
  AgentRow,
  Attachment,
  ControlSet,
  ControlValues,
  DeltaChannel,
  Draft,
  EventType,
  Failure,
  InputAnswer,
  InputRequest,
  Kit,
  Mode,
  Model,
  PastConversation,
  TurnOutcome,
  UnenforcedModes,
  Usage,
} from "@gantry/protocol";
import type { CommandFiles } from "./commands/declaration.ts";
import { fingerprint } from "./fields.ts";
import type { Launch } from "./kit/launch-types.ts";
import type { ConversationListing, PackageProgram, Probe, ProbeTools } from "./probing/probe-types.ts";
import type { ProjectCode } from "./project/declaration.ts";

export type { Launch, Overlay } from "./kit/launch-types.ts";
export type { BriefResult, ConversationListing, Probe, ProbeTools } from "./probing/probe-types.ts";

/**
 * One line exchanged with an agent's process, named from the agent's side: `out` is a line of its stdout, `in` a line
 * written to its stdin, `err` a line of stderr. `end` is the exit of the process and always the last frame.
 */
export type Frame =
  | { dir: "out"; msg: unknown }
  /** A line of stdout that is not JSON, or that is not read for the reason `problem`. */
  | { dir: "out"; text: string; problem?: string }
  /** A line over the size limit. Only its length and its beginning are available. */
  | { dir: "out"; oversize: number; head: string }
  | { dir: "in"; msg: unknown }
  | { dir: "err"; text: string }
  | { dir: "end"; code: number | null; signal: string | null };

/** A frame for the agent's stdin. */
export type Outbound = {
  msg: unknown;
  /** An `ack` output with this key confirms that the agent received the frame. */
  key?: string;
  /**
   * `safe`: idempotent, may be resent after a crash. `ask`: after a crash, find out first whether the frame arrived.
   */
  repeat: "safe" | "ask";
};

/** An input request as the agent sent it. The engine adds its id, session and turn. */
export type InputDraft = Omit<InputRequest, "id" | "session" | "turn" | "options" | "questions" | "blocking"> &
  Partial<Pick<InputRequest, "options" | "questions" | "blocking">>;

/** Events that a decoder may emit directly. Turns, inputs and user messages have dedicated outputs. */
export type DecoderEvent = Exclude<
  EventType,
  | "turn.started"
  | "turn.ended"
  | "input.requested"
  | "input.resolved"
  | "message.user"
  | "message.delivery"
  | "session.created"
>;

/**
 * The meaning of a frame, in order. A decoder reports only what the agent sent. The engine guarantees one end per
 * start, so a decoder need not close what the agent left open.
 */
export type Output =
  | { kind: "event"; event: Draft<DecoderEvent> }
  /** A chunk of an open item (`itm_<native id>`). The engine counts the offsets. `parent` as in the event that ends the text. */
  | { kind: "delta"; item: string; channel: DeltaChannel; text: string; parent?: string }
  | { kind: "activity"; state: string; detail?: string }
  | { kind: "retry"; attempt?: number; max?: number; delayMs?: number; reason: string; failure?: Failure }
  /** The agent started a turn. `messages` are the ids of the user messages that it named. */
  | { kind: "begin"; messages?: string[] }
  | {
      kind: "finish";
      outcome: TurnOutcome;
      reason?: string;
      usage?: Usage;
      cost?: { usd: number; source: "agent" | "list" };
      servedModel?: string;
      error?: Failure;
      durationMs?: number;
      ext?: unknown;
    }
  /** The agent accepted a message: as the start of a turn, or `inline` in the running one. */
  | { kind: "taken"; message: string; inline: boolean }
  /** The agent discarded a message without processing it. */
  | { kind: "dropped"; message: string; reason: string }
  /** The answer to `retract`: `ok` if the agent has not read the message and forgets it. */
  | { kind: "retracted"; message: string; ok: boolean }
  /** The agent requests an input. `key` identifies the request among the agent's open ones. */
  | { kind: "ask"; key: string; request: InputDraft; ext?: unknown }
  /** The agent ended a turn with a plan and does not wait for the answer: the engine asks, and starts the next turn. */
  | { kind: "plan"; item: string; title: string; text: string }
  /** The agent cancelled the request, or reports it as settled. */
  | { kind: "withdrawn"; key: string; reason: string }
  /** Only from recordings and histories: a user's prompt and answer. In a live session the engine has both. */
  | { kind: "prompted"; text: string; message?: string; steer?: boolean; attachments?: Attachment[] }
  | { kind: "answered"; key: string; answer: InputAnswer }
  /**
   * The conversation is open and accepts prompts. `handle` is its native id, for resuming. `mode` is what the agent
   * reported or acknowledged, never only what was requested; `native` is the agent's name for it.
   */
  | { kind: "ready"; handle?: string; model?: string; mode?: Mode; native?: string; models?: Model[] }
  /**
   * What the agent reports of its native controls: all of them, or some that changed. `choices` are those of controls whose
   * choices depend on the folder or the user.
   */
  | { kind: "controls"; values: ControlValues; all?: true; choices?: Record<string, string[]>; plugins?: string[] }
  /** The native conversation to resume does not exist. No other conversation was started instead. */
  | { kind: "lost"; message: string }
  /** The result of a `set` command. */
  | {
      kind: "applied";
      field: "model" | "mode" | "effort" | "controls";
      value: string;
      ok: boolean;
      message?: string;
      native?: string;
    }
  | { kind: "send"; frame: Outbound }
  | { kind: "ack"; key: string };

/** The decoder state after a frame, and the outputs of that frame. */
export type Step<State> = [State, Output[]];

export type AgentCommand =
  /** `tries` counts earlier deliveries that the agent accepted and did not act on. */
  | { type: "prompt"; message: string; text: string; attachments: Attachment[]; tries?: number }
  /** Delivers a message into the running turn. Only for channels whose agent has `steer: "inline"`. */
  | { type: "steer"; message: string; text: string; attachments: Attachment[]; tries?: number }
  /** Asks the agent to give back a message that it has not read. The answer is `retracted`. */
  | { type: "retract"; message: string; tries: number }
  | { type: "interrupt" }
  | { type: "answer"; key: string; answer: InputAnswer; request: InputRequest }
  /** Stops one background task, by its `task` id. `task.ended` confirms it. */
  | { type: "stopTask"; task: string }
  | { type: "context" } // Asks what fills the context. The answer is a `context.usage` event with `parts`.
  /** `controls` are all requested controls, not only the changed ones. */
  | { type: "set"; model?: string; mode?: Mode; effort?: string; controls?: ControlValues }
  /**
   * Closes the conversation so that it can be resumed later. The process ends next. An `ack` with the frame's key
   * confirms it.
   */
  | { type: "close" }
  /** A request without side effects, answered with an `ack` for this key. It shows whether an earlier frame arrived. */
  | { type: "ping"; key: string };

export type LaunchOptions = {
  cwd: string;
  model?: string;
  /** The rung to run on: one of the agent's `modes`, or `inherit`. */
  mode: Mode;
  effort?: string;
  /** The requested native controls. A channel applies those that the mode permits (`permitControls`). */
  controls?: ControlValues;
  /** The native conversation to resume; with `fork`, the one to copy. */
  resume?: string;
  fork?: boolean;
  /** The installed version, where it is known. */
  version?: string;
  /** A fresh UUID for agents that let the host name the conversation. */
  uuid: string;
  /** The process's private folder, for the files and links of its `Launch`. */
  dir: string;
  /** Instructions, MCP servers and skills for the agent. The channel applies the parts listed in its `takes`. */
  kit?: Kit;
  /** Further folders that the agent may write to; only for channels that take them. */
  folders?: readonly string[];
  /** Of a project with code. `untrusted`: start without that code; only for channels with `ignoresProject`, in its modes. */
  project?: "trusted" | "untrusted";
  /** Only for channels with `readOwnRules`: its result. */
  ownRules?: OwnRules;
  /** The process writes one short text: without tools and without storing the conversation, where the agent allows that. */
  transient?: true;
  /** Only for channels with `perTurn`: the prompt, which the launcher passes as a file on stdin. */
  prompt?: { message: string; text: string };
};

/** Rules of the agent's own configuration that stay in force in a pinned mode, in the agent's syntax. */
export type OwnRules = { deny: readonly string[]; ask: readonly string[] };

/** Transport of an MCP server. */
export type ServerKind = "stdio" | "http" | "sse";

/** A request of the handshake that the agent has not answered. `resumes`: it loads an earlier conversation. */
export type HandshakeStage = { name: string; resumes?: true };

/**
 * The protocol of one agent process. All functions are pure (no clock, no I/O, no randomness), so re-reading a spool
 * yields the same outputs. None of them throws for anything an agent printed. `State` is a small plain JSON value
 * without texts that the log already holds. It is stored in marks: renaming one of its fields breaks sessions that run
 * across an upgrade.
 */
export interface Channel<State = unknown> {
  readonly name: string;
  /**
   * The kit parts that the channel passes to the agent natively. Instructions and skills that it does not take are
   * prepended to the first prompt. MCP servers of other kinds are left out of the kit, and the user gets a notice.
   */
  readonly takes?: {
    readonly instructions?: true;
    readonly servers?: readonly ServerKind[];
    /** The first version that supports servers; absent: all. */
    readonly serversSince?: string;
    readonly skills?: true;
    /** The first version that takes skills; absent: all. */
    readonly skillsSince?: string;
    /** Folders besides `cwd`, passed by `launch` or `open`. `named`: the first prompt names them, for lack of a boundary. */
    readonly folders?: true | "named";
  };
  /** The agent cannot inspect its working folder, so the first prompt has to describe it. */
  readonly blind?: true;
  /** One process per turn with the prompt on stdin. No steering, no inputs. */
  readonly perTurn?: boolean;
  /** Earliest time (ms since the epoch) at which another process may resume a conversation. Absent: at once. */
  readonly resumableFrom?: (opened: number) => number;
  /** Reads rules of the agent's own configuration before each start, for `launch`. Not pure; never throws. */
  readonly readOwnRules?: (place: { env: Readonly<Record<string, string>>; cwd: string }) => OwnRules;
  /**
   * The modes in which `launch` can start the agent without the project's code, and the first version in which that was
   * checked. Otherwise the agent is not started in a folder whose code the user has not trusted.
   */
  readonly ignoresProject?: { readonly modes: readonly Mode[]; readonly since: string };
  /** Arguments and extra environment of the process, never including the prompt. */
  launch(options: LaunchOptions): Launch;
  initial(options: LaunchOptions): State;
  /** The handshake frames. Later frames are `send` outputs of `decode`. */
  open(state: State): Outbound[];
  /** What the handshake waits for, so that a timeout can name it. Only called before `ready`. */
  stage?(state: State): HandshakeStage | undefined;
  /** Receives every frame of both directions in order, including those from `open` and `encode` once they were sent. */
  decode(state: State, frame: Frame): Step<State>;
  /** The frames of a command; `undefined` when the channel does not support it. No prompt is encoded before `ready`. */
  encode(state: State, command: AgentCommand): Outbound[] | undefined;
  /**
   * For agents that send more output after the end of a turn. While the end is held back, `ms` is the time to wait for
   * that output, again whenever `late` has grown, and `over` releases the end. The caller calls `over` when the time has
   * passed, and always before the `end` frame.
   */
  readonly trail?: {
    ms(state: State): number | undefined;
    late(state: State): number;
    over(state: State): Step<State>;
  };
  /** Lists the agent's stored conversations, in a separate process. Not pure; never rejects. */
  readonly conversations?: (tools: ProbeTools, cwd?: string) => Promise<ConversationListing>;
  /** Whether a recording belongs to this channel, judged by its first parsed lines. */
  recognises(lines: unknown[]): boolean;
}

/** Where to look for an agent's files: the environment and home folder that the agent would see. */
export type HistoryPlace = {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** Cache of file heads, so that only changed files are read again. */
  heads?: HeadCache;
};

/** Cache of conversation heads by path, time and size. A stored `undefined`: the file holds no conversation. */
export interface HeadCache {
  /** `hit` is false for a file that changed or was never read. */
  recall(path: string, stamp: string): { hit: boolean; head?: ConversationHead };
  store(path: string, stamp: string, head: ConversationHead | undefined): void;
}

/** A stored conversation, described by the head of its file. */
export type ConversationHead = Omit<PastConversation, "agent" | "imported">;

/** One output read from a stored conversation, with its time and the byte offset reached in the file. */
export type HistoryEntry = { at?: string; output: Output; offset?: number };

/**
 * Read access to the conversations that an agent stores itself. Never writes, and reads nothing outside `folders`.
 * Files may be damaged, huge or still being written: unknown entries become `raw`, unreadable ones are skipped and
 * reported with a notice. Both functions throw only for file system errors.
 */
export interface History {
  /** Folders or single files that contain the conversations. Missing ones are left out. */
  folders(place: HistoryPlace): string[];
  /** Newest first, from file heads and times only. */
  find(place: HistoryPlace): AsyncIterable<ConversationHead>;
  /**
   * The conversation as outputs, in order. `prompted` and `finish` delimit a turn; the caller closes what is left open.
   * Reading again yields the same outputs, plus new ones if the file has grown.
   */
  read(found: ConversationHead, place: HistoryPlace): AsyncIterable<HistoryEntry>;
}

/** An agent as data. `registry.ts` explains how to add one. */
export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly find: { bin: string[]; env: string; package?: PackageProgram };
  readonly install: {
    npm?: string;
    command: string;
    /** `command` is an instruction for the user, not a shell command. */
    byHand?: true;
  };
  readonly login: string[];
  /** Environment of all its processes, probes included; keeps the agent from updating or restarting itself. */
  readonly env?: Readonly<Record<string, string>>;
  /** Environment of its probes only. */
  readonly probeEnv?: Readonly<Record<string, string>>;
  /** In order of preference. */
  readonly channels: readonly Channel<never>[];
  /** For a base of profiles: the channels of a program that takes its prompt as an argument. */
  readonly argumentChannels?: readonly Channel<never>[];
  /** Supported modes, each with a description for the user. */
  readonly modes: Partial<Record<Mode, string>>;
  /**
   * Modes that Gantry cannot enforce if the agent's own configuration (the user's or the project's) differs, each
   * with the reason, as a sentence for the user. Every other mode is a promise that the conformance suite checks.
   */
  readonly unenforced?: UnenforcedModes;
  /** Why a rung of the ladder is missing, as a sentence for the user. */
  readonly lacks?: UnenforcedModes;
  /**
   * Modes in which the agent asks only where its own configuration is stricter than the mode. Gantry answers for the
   * user: everything in full-auto, edits inside the folder in auto-edit. What that configuration denies stays denied.
   */
  readonly answeredModes?: readonly Mode[];
  /** Settings that only this agent has. A mode is their upper limit. */
  readonly controls?: ControlSet;
  /** Without it, nothing that a project contains makes the agent run code. */
  readonly projectCode?: ProjectCode;
  readonly steer: AgentRow["steer"];
  readonly resume: AgentRow["resume"];
  readonly fork: boolean;
  readonly edits: boolean;
  /** Capabilities that no other field states. The conformance suite checks each. */
  readonly can?: readonly ("images" | "questions" | "compaction" | "commands" | "forkAt")[];
  /** Why no channel takes further folders, as a sentence for the user. */
  readonly withoutFolders?: string;
  /** It reports background tasks, and can stop a single one (`stop`) or not (`list`). */
  readonly tasks?: AgentRow["tasks"];
  /** The oldest supported version or line of versions (`1.3`), and the newest tested one. */
  readonly versions?: { readonly oldest: string; readonly newest: string };
  /** Its idle process is released after this time if the configuration allows more; for programs that need much memory. */
  readonly idleSeconds?: number;
  /** Where users and projects define commands, skills and output styles for it. */
  readonly commandFiles?: CommandFiles;
  /** The channel that a version is known to support, so that a start need not wait for a probe. */
  readonly channelOf?: (version: string) => string | undefined;
  /** Models to show when the installed agent reports none. */
  readonly fallbackModels: readonly Model[];
  /** Its cheap models for short texts, the preferred first: ids in which `*` stands for any text. Only a listed one is used. */
  readonly smallModels?: readonly string[];
  /** The small model that the user's own configuration of the agent names. */
  readonly smallModelSetting?: (env: Readonly<Record<string, string | undefined>>) => Promise<string | undefined>;
  /** Its models and keys are those of Gantry's model registry, and `findProjectCode` finds what it would run of a project. */
  readonly usesRegistry?: true;
  /** The account that rate limits apply to. */
  readonly provider: string;
  /** The agent serves several providers, each with its own key; its models are named `provider/model`. */
  readonly providerInModel?: true;
  /** How to start an agent that ships with Gantry; no binary is searched for. */
  readonly builtin?: { command: string[] };
  /**
   * The same agent through another program, under the same id. Used where this one's program is not installed, or where
   * only the variable of the other is set. Both descriptors list the channels of both, in their own order of preference,
   * so that a running process is decoded whichever is found later.
   */
  readonly otherwise?: Agent;
  /** Plays scripts and calls no model: only for demonstrations. */
  readonly demo?: true;
  /** Its stored conversations, where they can be read without the agent. */
  readonly history?: History;
  probe(tools: ProbeTools): Promise<Probe>;
}

/** Hides the channel's state type from other folders. */
export function defineChannel<State>(channel: Channel<State>): Channel<never> {
  return channel as unknown as Channel<never>;
}

export function defineAgent(agent: Agent): Agent {
  return agent;
}

/**
 * More open tool calls than this are not followed, and not more open subagents: each event costs time in proportion to
 * them. Further ones become `raw` until one ends.
 */
export const MAX_OPEN_CALLS = 1000;

/** The unified item id for the agent's native id. A hash keeps ids apart whose characters had to be replaced. */
export function itemId(native: string): string {
  if (/^[A-Za-z0-9_.:#-]{1,150}$/.test(native)) return `itm_${native}`;
  return `itm_${native.replace(/[^A-Za-z0-9_.:#-]/g, "-").slice(0, 130)}.${fingerprint(native)}`;
}
