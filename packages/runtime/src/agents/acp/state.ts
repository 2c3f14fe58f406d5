import type { Failure, FileChange, McpServer, Mode, Model, ToolKind, TurnOutcome, Usage } from "@gantry/protocol";
import type { RpcError, RpcId } from "../../framing/json-rpc.ts";
import type { LaunchOptions, ServerKind } from "../contract.ts";
import { compact, type Fields } from "../fields.ts";
import type { Settings } from "./wire/settings.ts";

export type SettingField = "model" | "mode" | "effort";

/** One of our requests that has no response yet. */
export type PendingRequest = {
  method: string;
  /** The setting that it changes. */
  change?: { field: SettingField; value: string };
  /** Belongs to another conversation, as in some recordings. */
  foreign?: boolean;
  /** Requests the usage of an ended turn. */
  counts?: boolean;
};

/** A prompt without a response; in version 2, a prompt whose turn has not ended. */
export type Prompt = { id: string; message?: string; taken?: boolean; command?: boolean; compacts?: boolean };

/** The running turn. */
export type Turn = {
  /** The agent produced output or started a tool. */
  hasOutput?: boolean;
  cancelled?: boolean;
  compacting?: boolean;
  /** The agent reported an error; its last message describes it. */
  broken?: boolean;
  /** The reason, reported before the failure. */
  failure?: Failure;
  usage?: Usage;
  /** The conversation's cost before this turn. */
  costBefore?: number;
  model?: string;
  /** Continued with the user's denial reason; `usage` covers the part before. */
  sentReasons?: boolean;
  /** Ended, except for a compaction that the agent runs in the background. */
  waiting?: TurnResult;
  compactionOver?: boolean;
  /** Ended by the agent; late output may follow. */
  trailing?: TurnEnd;
  /** The number of text chunks that followed the end. */
  late?: number;
  /** Ended, waiting for the usage; `reply` is the text so far. */
  counting?: { verdict: TurnResult; reply: string };
};

/** The end of a turn: the prompt's response in version 1, the idle update in version 2. */
export type TurnEnd = { result: Fields; error?: RpcError };

export type TurnResult = { outcome: TurnOutcome; error?: Failure };

/**
 * The text that is being streamed, stored in full: the protocol never repeats it, and a message ends only when something
 * else begins. `late` marks text outside a turn.
 */
export type OpenText = {
  item: string;
  channel: "text" | "reasoning";
  text: string;
  message?: string;
  parent?: string;
  late?: boolean;
};

export type Tool = {
  name: string;
  kind: ToolKind;
  command?: string;
  /** The streamed input, if short, for agents that omit it in permission requests. */
  input?: Fields;
  /** Fingerprints of the title, input and locations published last. */
  published: { title?: string; input?: string; locations?: string };
  changes?: FileChange[];
  /** Length and fingerprint of the output published so far. */
  live?: { length: number; print: string };
  /** Length of the streamed input published so far. */
  written?: number;
  terminals?: string[];
  denied?: boolean;
  /** An approval leaves plan mode. */
  leaves?: boolean;
  /** A `subagent.started` was published for it. */
  subagent?: boolean;
};

/** A terminal of the agent or of its client. Only the end of the output is stored. */
export type Terminal = { output: string; exitCode?: number };

/** An open request of the agent, with the data needed to answer it. */
export type OpenRequest = {
  id: RpcId;
  kind: "permission" | "questions" | "choice" | "elicitation" | "login" | "extension";
  /** Native options: id and kind. */
  options?: [string, string][];
  tool?: string;
  /** A plan approval, which leaves plan mode. */
  plan?: boolean;
  /** Types of the form's fields. */
  form?: Record<string, string>;
  /** For extensions: the method, and the data needed to answer it. For a choice: the option of each answer. */
  method?: string;
  data?: Fields;
};

/** A request as it arrived from the agent. */
export type AgentRequest = { id: RpcId; method: string; params: Fields };

/** An advertised login method. `agent`: the agent performs the login itself. */
export type AuthMethod = {
  id: string;
  name: string;
  how: "agent" | "terminal" | "variables";
  description?: string;
  /** Environment variables that the process needs. */
  variables?: string[];
};

/** The decoder state: plain JSON, and no key holds `undefined`. Stored in marks, so field names are fixed. */
export type State = {
  options: Pick<
    LaunchOptions,
    "cwd" | "model" | "mode" | "effort" | "resume" | "fork" | "folders" | "controls" | "version"
  >;
  /** Makes item ids unique across the processes of a session. */
  seed: string;
  items: number;
  /** `settled`: opening failed and the reason was reported. */
  phase: "greeting" | "opening" | "login" | "setting" | "open" | "settled";
  version: 1 | 2;
  nextId: number;
  pending: Record<string, PendingRequest>;
  /** Frames to the agent are known too; false in one-sided recordings. */
  both?: boolean;
  can: { servers?: ServerKind[] } & Partial<
    Record<"image" | "load" | "list" | "resume" | "close" | "fork" | "folders", true>
  >;
  /** MCP servers to pass; only their names are stored once the conversation is open. */
  servers?: McpServer[];
  serverNames?: string[];
  methods: AuthMethod[];
  loginTried?: boolean;
  session?: string;
  /** The agent is replaying the history, until the first prompt. */
  replaying?: boolean;
  resumed?: boolean;
  settings: { model?: string; mode?: string; effort?: string };
  /** The size of the context of the model at the start, in tokens. */
  window?: number;
  /** The mode set last. */
  rung?: Mode;
  offers: Pick<Settings, "ids" | "options" | "ownModels" | "ownModes"> & { modes?: string[] };
  /** Dropped when the conversation is ready. */
  models?: Model[];
  prompts: Prompt[];
  turn?: Turn;
  text?: OpenText;
  tools: Record<string, Tool>;
  /** Ended tool calls of the current turn. */
  ended: string[];
  terminals: Record<string, Terminal>;
  asks: Record<string, OpenRequest>;
  /** Denial reasons of this turn that were not sent to the agent yet. */
  reasons?: string[];
  /** Requests served by the client, in recordings of clients that do so. */
  serving: Record<string, string>;
  serves?: { fs?: boolean; terminal?: boolean };
  total?: Usage;
  cost?: number;
  context?: string;
  commands?: string;
  /** The agent has the dialect's command that counts tokens. */
  counts?: boolean;
  foreign: string[];
  complaint?: string;
  /** The last failed request to the provider, for a turn that ends without output after it. */
  retried?: Failure;
  /** State of the dialect's extensions. */
  own?: Fields;
};

export function initialState(options: LaunchOptions): State {
  const { cwd, model, mode, effort, resume, fork, folders, uuid, kit, controls, version } = options;
  const servers = kit?.servers ?? [];
  return {
    ...(servers.length > 0 ? { servers: [...servers], serverNames: servers.map(({ name }) => name) } : {}),
    options: compact({ cwd, model, mode, effort, resume, fork, folders, controls, version }),
    seed: uuid.slice(0, 8),
    items: 0,
    phase: "greeting",
    version: 1,
    nextId: 1,
    pending: {},
    can: {},
    methods: [],
    settings: {},
    offers: { ids: {}, options: [], ownModels: false, ownModes: false },
    prompts: [],
    tools: {},
    ended: [],
    terminals: {},
    asks: {},
    serving: {},
    foreign: [],
  };
}

/** Longer ids are refused: they are part of the session's view, of events or of the decoder's state. */
const LONGEST_ID = 2000;

/** Whether a value can be the id of a conversation, a request or a tool call. */
export function isUsableId(id: unknown): id is string {
  return typeof id === "string" && id !== "" && id.length <= LONGEST_ID;
}

/** The state key of a request id; numeric and string ids do not collide. */
export function requestKey(id: RpcId): string {
  return typeof id === "number" ? String(id) : JSON.stringify(id);
}
