import type {
  AgentRow,
  Attachment,
  ConversationList,
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
  Problem,
  TurnOutcome,
  Usage,
} from "@gantry/protocol";

/**
 * One line of the talk with an agent's process, seen from the agent: `out` is what it printed, `in` what was written
 * to its stdin. `err` is a line of stderr, `end` the end of the process (the last frame there is).
 */
export type Frame =
  | { dir: "out"; msg: unknown }
  /** A line of stdout that is not JSON. */
  | { dir: "out"; text: string }
  /** A line longer than the limit: only its length and beginning are kept. */
  | { dir: "out"; oversize: number; head: string }
  | { dir: "in"; msg: unknown }
  | { dir: "err"; text: string }
  | { dir: "end"; code: number | null; signal: string | null };

/** A frame for the agent's stdin. */
export type Outbound = {
  msg: unknown;
  /** Once an `ack` with this key was seen, the agent has the frame. */
  key?: string;
  /** `safe`: the agent does not mind getting it twice. `ask`: after a crash, find out first whether it arrived. */
  repeat: "safe" | "ask";
};

/** An input as the agent asks it. The engine gives it its id, session and turn. */
export type InputDraft = Omit<InputRequest, "id" | "session" | "turn" | "options" | "questions" | "blocking"> &
  Partial<Pick<InputRequest, "options" | "questions" | "blocking">>;

/** Events that a decoder may state outright. Turns, inputs and messages of the user have outputs of their own. */
export type PlainEvent = Exclude<
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
 * What a frame means. The order counts. A decoder says what the agent said and no more; that every start has one end
 * is the engine's work, so a decoder need not close what the agent left open.
 */
export type Output =
  | { kind: "event"; event: Draft<PlainEvent> }
  /** A piece of an open item. Offsets are counted by the engine. Item ids are `itm_<native id>`. */
  | { kind: "delta"; item: string; channel: DeltaChannel; text: string }
  | { kind: "activity"; state: string; detail?: string }
  | { kind: "retry"; attempt?: number; max?: number; delayMs?: number; reason: string; failure?: Failure }
  /** The agent began to work on a turn; `messages` are the user's messages (our ids) that it named. */
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
  /** The agent has this message of ours: as (part of) a turn of its own, or `inline` in the running one. */
  | { kind: "taken"; message: string; inline: boolean }
  /** The agent dropped a message that it had not worked on. */
  | { kind: "dropped"; message: string; reason: string }
  /** The agent asks. `key` is its own name for the question, unique among its open ones, as a string. */
  | { kind: "ask"; key: string; request: InputDraft; ext?: unknown }
  /** The agent took a question back, or says that it is settled. */
  | { kind: "withdrawn"; key: string; reason: string }
  /** From recordings and histories: a person's prompt, a person's answer. Live, the engine knows them already. */
  | { kind: "prompted"; text: string; message?: string; steer?: boolean; attachments?: Attachment[] }
  | { kind: "answered"; key: string; answer: InputAnswer }
  /** The conversation is open and takes prompts. `handle` is its native id, for resuming. */
  | { kind: "ready"; handle?: string; model?: string; mode?: Mode; models?: Model[] }
  /** The native conversation that was to be resumed is not there. Nothing was started in its place. */
  | { kind: "lost"; message: string }
  /** The agent's answer to `set`. */
  | { kind: "applied"; field: "model" | "mode" | "effort"; value: string; ok: boolean; message?: string }
  | { kind: "send"; frame: Outbound }
  | { kind: "ack"; key: string };

/** The state after a frame, and what the frame meant. */
export type Step<State> = [State, Output[]];

export type AgentCommand =
  /** `tries`: so often the agent had the message before and did nothing with it. */
  | { type: "prompt"; message: string; text: string; attachments: Attachment[]; tries?: number }
  /** Into the running turn. Only for channels whose agent has `steer: "inline"`. */
  | { type: "steer"; message: string; text: string; attachments: Attachment[] }
  | { type: "interrupt" }
  | { type: "answer"; key: string; answer: InputAnswer; request: InputRequest }
  | { type: "set"; model?: string; mode?: Mode; effort?: string }
  | { type: "compact" }
  /** Puts the conversation away, to be resumed later; its process ends next. `ack` with the frame's key says it is done. */
  | { type: "close" }
  /** A harmless question; its answer gives `ack` with this key. It settles whether an earlier frame arrived. */
  | { type: "ping"; key: string };

export type LaunchOptions = {
  cwd: string;
  model?: string;
  /** The rung to run on: one of the agent's `modes`, or `inherit`. */
  mode: Mode;
  effort?: string;
  /** The native conversation to go on with; with `fork`, a copy of it. */
  resume?: string;
  fork?: boolean;
  /** The installed version, where it is known. */
  version?: string;
  /** A fresh UUID for agents that let the host name the conversation. */
  uuid: string;
  /** The process's own folder, for what `launch` gives as files and links. */
  dir: string;
  /** What the agent is to be given beside the prompts; of it the channel sees to what it `takes`. */
  kit?: Kit;
  /** Folders beside `cwd` in which the agent may write; only for channels that take them. */
  folders?: readonly string[];
  /** Only for channels with `perTurn`: the prompt's text, which the launcher puts into a file on stdin. */
  prompt?: { message: string; text: string };
};

/** How a server of the Model Context Protocol is reached. */
export type ServerKind = "stdio" | "http" | "sse";

/** How a process is to be started. */
export type Launch = {
  args: string[];
  env?: Record<string, string>;
  /** Files to be written before it starts, by their path below `dir`. Only the user can read them. */
  files?: Record<string, string>;
  /** Links to be made before it starts: from the path below `dir` to an absolute one. */
  links?: Record<string, string>;
};

/**
 * How to talk with an agent's process. All functions are pure: no clock, no I/O, no randomness, so that a spool read
 * again gives the same outputs. `State` is a plain JSON value and stays small: no texts that the log holds.
 * None of them throws for anything that an agent printed.
 */
export interface Channel<State = unknown> {
  readonly name: string;
  /**
   * The parts of a kit that the channel hands to the agent by the agent's own means. What it does not take of
   * instructions and skills is put before the first prompt; servers of the kinds that it does not take are not in the
   * kit of its `launch`: the agent goes without them, and the user is told.
   */
  readonly takes?: {
    readonly instructions?: true;
    readonly servers?: readonly ServerKind[];
    readonly skills?: true;
    /** Folders beside the working one that the agent may write in, as far as its mode lets it write at all. */
    readonly folders?: true;
  };
  /** Its agent does not find out by itself where it works and which files are there. */
  readonly blind?: true;
  /** One process per turn, prompt on stdin from a file, no steering and no inputs. */
  readonly perTurn?: boolean;
  /**
   * The time in milliseconds from which on another process may resume a conversation that was opened at `opened`.
   * Without it that is at once.
   */
  readonly resumableFrom?: (opened: number) => number;
  /** Arguments and additional environment of the process. The prompt is never among them. */
  launch(options: LaunchOptions): Launch;
  initial(options: LaunchOptions): State;
  /** The first frames: the handshake. Later ones follow as `send` outputs of `decode`. */
  open(state: State): Outbound[];
  /** Sees every frame of both directions in order, also those that `open` and `encode` made, once they are sent. */
  decode(state: State, frame: Frame): Step<State>;
  /** Frames for a command; `undefined` when the channel cannot do it. Prompts that come before `ready` are not sent. */
  encode(state: State, command: AgentCommand): Outbound[] | undefined;
  /**
   * For agents that say more of a turn after they have ended it. While an end is held back for that, `ms` tells how
   * long it is to be; `over` takes it. That is called when the time has passed, and in any case before the frame `end`.
   */
  readonly trail?: { ms(state: State): number | undefined; over(state: State): Step<State> };
  /** Asks the agent which conversations it keeps, in a process of its own. Not pure, and never throws. */
  readonly conversations?: (tools: ProbeTools, cwd?: string) => Promise<Listed>;
  /** Does a recording look like this channel? Asked with its first parsed lines. */
  recognises(lines: unknown[]): boolean;
}

/** How a brief process went. */
export type Ran = {
  /** `null` when it did not end by itself. */
  code: number | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
  /** The process could not be started at all. */
  failed?: string;
};

/** What a probe may do: run the binary briefly, in a scratch folder, with a deadline. Never throws. */
export interface ProbeTools {
  readonly bin: string;
  /** The whole environment of what it runs, the agent's own `env` included. */
  readonly env: Record<string, string>;
  run(args: string[], options?: { timeoutMs?: number; input?: string }): Promise<Ran>;
  /** Starts the binary, writes JSON lines, and collects stdout lines until `done` says so or time is up. */
  converse(
    args: string[],
    frames: unknown[],
    done: (lines: unknown[]) => boolean,
    options?: { timeoutMs?: number; reply?: (line: unknown) => unknown[] },
  ): Promise<Ran & { lines: unknown[] }>;
}

/** The conversations that an agent keeps, or why they are not told. `message` is for people to read. */
export type Listed =
  | ({ ok: true } & ConversationList)
  | { ok: false; why: "unsupported" | "login" | "failed"; message: string };

export type Probe = {
  version?: string;
  auth: AgentRow["auth"];
  models?: Model[];
  problems: Problem[];
  /** The binary runs and is what it claims to be. */
  ok: boolean;
  /** The name of the channel to use; the first one when absent. */
  channel?: string;
};

/** Where an agent's own files are looked for: what it would see as its environment and home. */
export type HistoryPlace = {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** What was read of files before, so that only those that changed are read again. */
  heads?: HeadMemory;
};

/** What the heads of files said, kept by path, time and size. `undefined` in it: the file holds no conversation. */
export interface HeadMemory {
  /** `hit` is false where the file has changed or was never seen. */
  recall(path: string, stamp: string): { hit: boolean; head?: PastHead };
  keep(path: string, stamp: string, head: PastHead | undefined): void;
}

/** A conversation on disk, as far as its head tells. */
export type PastHead = Omit<PastConversation, "agent" | "imported">;

/** One thing that was said in a conversation on disk, when, and how many bytes had been read when it was known. */
export type Past = { at?: string; output: Output; offset?: number };

/**
 * What an agent itself has written down of its conversations. Nothing is ever written there, and nothing outside of
 * `folders` is read. Files may be damaged, huge, or just being written: what is not known becomes `raw`, what cannot be
 * read is left out and told by a notice; both functions throw only for what the file system refuses.
 */
export interface History {
  /** Folders, or single files, below which its conversations lie; those that are not there are none. */
  folders(place: HistoryPlace): string[];
  /** The newest first, from heads and times alone. */
  find(place: HistoryPlace): AsyncIterable<PastHead>;
  /**
   * The conversation in outputs, in the order in which it went. A turn is told by `prompted` and `finish`; what is left
   * open is closed by whoever listens. Reading it again gives the same outputs, and more if it has grown.
   */
  read(found: PastHead, place: HistoryPlace): AsyncIterable<Past>;
}

/** An agent as data. Adding one adds a folder and a line in `registry.ts`. */
export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly find: { bin: string[]; env: string };
  readonly install: {
    npm?: string;
    command: string;
    /** `command` is words for a person and cannot be run. */
    byHand?: true;
  };
  readonly login: string[];
  /** Environment that all its processes get, those of probes as well: what keeps it from updating or relaunching itself. */
  readonly env?: Readonly<Record<string, string>>;
  /** Best first. */
  readonly channels: readonly Channel<never>[];
  /** Rungs that it has, and what each means to the agent, for people to read. */
  readonly modes: Partial<Record<Mode, string>>;
  readonly steer: AgentRow["steer"];
  readonly resume: AgentRow["resume"];
  readonly fork: boolean;
  /** Does it take a changed tool input with an approval? */
  readonly edits: boolean;
  /** The channel that a version is known to have, so that starting it need not wait for a probe. */
  readonly channelOf?: (version: string) => string | undefined;
  /** Shown when the installed agent cannot be asked. */
  readonly fallbackModels: readonly Model[];
  /** The account that limits count against. */
  readonly provider: string;
  /** It asks many providers, each with a key that it keeps: its models are called `provider/model`. */
  readonly providerInModel?: true;
  /** Set for agents that come with Gantry: how to start them instead of looking for a binary. */
  readonly builtin?: { command: string[] };
  /** It plays scripts and asks no model: good for demonstrations, and no help with anyone's work. */
  readonly demo?: true;
  /** Its own conversations on disk, where they can be read without it. */
  readonly history?: History;
  probe(tools: ProbeTools): Promise<Probe>;
}

/** Keeps the channel's state type inside its folder. */
export function defineChannel<State>(channel: Channel<State>): Channel<never> {
  return channel as unknown as Channel<never>;
}

export function defineAgent(agent: Agent): Agent {
  return agent;
}

/** Unified id of an item from the agent's own id for it. */
export function itemId(native: string): string {
  return `itm_${native.replace(/[^A-Za-z0-9_.:#-]/g, "-").slice(0, 150) || "x"}`;
}
