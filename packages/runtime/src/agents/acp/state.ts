import type { Failure, FileChange, McpServer, Mode, Model, ToolKind, TurnOutcome, Usage } from "@gantry/protocol";
import type { RpcError, RpcId } from "../../framing/json-rpc.ts";
import type { LaunchOptions, ServerKind, Step } from "../contract.ts";
import { compact, type Fields } from "../fields.ts";
import type { Offers } from "./wire/offers.ts";

export type Field = "model" | "mode" | "effort";

/** A request of ours that has no answer yet. */
export type Pending = {
  method: string;
  /** What it sets. */
  change?: { field: Field; value: string };
  /** Of another conversation than ours, which a recording may hold. */
  foreign?: boolean;
  /** Asks for the tokens of a turn that has ended. */
  counts?: boolean;
};

/** A prompt that was sent and has no answer yet; in version 2, one whose turn has not ended. */
export type Prompt = { id: string; message?: string; taken?: boolean; command?: boolean; compacts?: boolean };

/** The turn that the agent works on. */
export type Turn = {
  /** Something was said or done. */
  said?: boolean;
  cancelled?: boolean;
  compacting?: boolean;
  /** The agent says that it met an error, and its last message what. */
  broken?: boolean;
  /** The agent told why it will fail, before it did. */
  failure?: Failure;
  usage?: Usage;
  /** What the conversation had cost before it. */
  costBefore?: number;
  model?: string;
  /** It went on with the reason why something was denied: `usage` is of the part before. */
  told?: boolean;
  /** It has ended so, but for the compaction that it was about, which the agent makes beside it. */
  waiting?: Verdict;
  compactionOver?: boolean;
  /** The agent has ended it so; what it may still say of it is waited for. */
  trailing?: Ending;
  /** It has ended so, and only what it took is waited for; `said` is the agent's answer. */
  counting?: { verdict: Verdict; said: string };
};

/** How the agent ends a turn: the answer to its prompt in version 1, the update that it is idle in version 2. */
export type Ending = { result: Fields; error?: RpcError };

/** How a turn ended. */
export type Verdict = { outcome: TurnOutcome; error?: Failure };

/**
 * The text that is being streamed. It is remembered whole: the protocol never repeats it, and a message is over only
 * when something else begins. `late` marks what came outside of any turn.
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
  /** The input that was streamed, if it is not long, for agents that do not say it again when they ask. */
  input?: Fields;
  /** Fingerprints of title, input and places as last told. */
  told: Record<string, string>;
  changes?: FileChange[];
  /** Length and fingerprint of the live output passed on so far. */
  live?: { length: number; print: string };
  /** How much of the input was passed on while it was written. */
  written?: number;
  terminals?: string[];
  denied?: boolean;
  /** It ends the agent's mode for planning. */
  leaves?: boolean;
  /** A subagent was told to have begun with it. */
  subagent?: boolean;
};

/** A terminal of the agent, or one that it asked its client for. The end of its output is kept. */
export type Terminal = { output: string; exitCode?: number };

/** An open question of the agent: what its answer needs. */
export type Ask = {
  id: RpcId;
  kind: "permission" | "questions" | "elicitation" | "login" | "extension";
  /** Native options: id and kind. */
  options?: [string, string][];
  tool?: string;
  /** It is about a plan: with a yes the agent leaves its mode for planning. */
  plan?: boolean;
  /** Types of the fields of a form. */
  form?: Record<string, string>;
  /** Of an extension: its name, and what its answer needs. */
  method?: string;
  kept?: Fields;
};

/** A way to log in that the agent advertises. `agent`: it does it by itself when asked to. */
export type AuthMethod = {
  id: string;
  name: string;
  how: "agent" | "terminal" | "variables";
  description?: string;
  /** Variables that its process must be given. */
  variables?: string[];
};

/** Everything that the decoder remembers. A plain JSON value: no key holds `undefined`. */
export type State = {
  options: Pick<LaunchOptions, "cwd" | "model" | "mode" | "effort" | "resume" | "fork">;
  /** Makes ids of items unique among all processes of a session. */
  seed: string;
  items: number;
  /** `settled`: nothing came of it, and the reason was told. */
  phase: "greeting" | "opening" | "login" | "setting" | "open" | "settled";
  version: 1 | 2;
  nextId: number;
  pending: Record<string, Pending>;
  /** Our side of the talk was heard too. It never is in a recording of the agent's output alone. */
  both?: boolean;
  can: { servers?: ServerKind[] } & Partial<Record<"image" | "load" | "list" | "resume" | "close" | "fork", true>>;
  /** Servers that the agent is to be given; only their names are kept once the conversation is open. */
  servers?: McpServer[];
  serverNames?: string[];
  methods: AuthMethod[];
  loginTried?: boolean;
  session?: string;
  /** Opened with a history that the agent tells once more, until the first prompt. */
  replaying?: boolean;
  resumed?: boolean;
  settings: { model?: string; mode?: string; effort?: string };
  /** The rung that was last set. */
  rung?: Mode;
  offers: Pick<Offers, "ids" | "options" | "ownModels" | "ownModes">;
  /** Only until the conversation is ready. */
  models?: Model[];
  prompts: Prompt[];
  turn?: Turn;
  text?: OpenText;
  tools: Record<string, Tool>;
  /** Tool calls of the last turn that have ended. */
  ended: string[];
  terminals: Record<string, Terminal>;
  asks: Record<string, Ask>;
  /** Why a person denied something in this turn: the agent has yet to hear it. */
  reasons?: string[];
  /** Requests of the agent that its client serves, in recordings of clients that do. */
  serving: Record<string, string>;
  serves?: { fs?: boolean; terminal?: boolean };
  total?: Usage;
  cost?: number;
  context?: string;
  commands?: string;
  /** The agent has the dialect's commands for these. */
  compacts?: boolean;
  counts?: boolean;
  foreign: string[];
  complaint?: string;
  /** What the extensions of an agent remember. */
  own?: Fields;
};

export function initialState(options: LaunchOptions): State {
  const { cwd, model, mode, effort, resume, fork, uuid, kit } = options;
  const servers = kit?.servers ?? [];
  return {
    ...(servers.length > 0 ? { servers: [...servers], serverNames: servers.map(({ name }) => name) } : {}),
    options: compact({ cwd, model, mode, effort, resume, fork }),
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

/** Runs steps one after the other. */
export function runSteps(state: State, ...steps: ((state: State) => Step<State>)[]): Step<State> {
  let current = state;
  const outputs = steps.flatMap((step) => {
    const [next, made] = step(current);
    current = next;
    return made;
  });
  return [current, outputs];
}

/** The key of a request in the state: ids of both types stay apart. */
export function requestKey(id: RpcId): string {
  return typeof id === "number" ? String(id) : JSON.stringify(id);
}
