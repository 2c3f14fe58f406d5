import type { Failure, FileChange, Mode, Model, ToolKind, Usage } from "@gantry/protocol";
import type { RpcId } from "../../framing/json-rpc.ts";
import type { LaunchOptions, Step } from "../contract.ts";
import { compact, type Fields } from "./wire/fields.ts";
import type { Offers } from "./wire/offers.ts";

export type Field = "model" | "mode" | "effort";

/** A request of ours that has no answer yet. */
export type Pending = {
  method: string;
  /** What it sets. */
  change?: { field: Field; value: string };
  /** Of another conversation than ours, which a recording may hold. */
  foreign?: boolean;
};

/** A prompt that was sent and has no answer yet; in version 2, one whose turn has not ended. */
export type Prompt = { id: string; message?: string; taken?: boolean; command?: boolean };

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
};

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
};

/** A terminal of the agent, or one that it asked its client for. The end of its output is kept. */
export type Terminal = { output: string; exitCode?: number };

/** An open question of the agent: what its answer needs. */
export type Ask = {
  id: RpcId;
  kind: "permission" | "questions" | "elicitation" | "login";
  /** Native options: id and kind. */
  options?: [string, string][];
  tool?: string;
  /** Types of the fields of a form. */
  form?: Record<string, string>;
};

export type AuthMethod = { id: string; name: string; terminal?: boolean };

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
  can: { image?: boolean; load?: boolean; resume?: boolean; fork?: boolean };
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
  /** Requests of the agent that its client serves, in recordings of clients that do. */
  serving: Record<string, string>;
  serves?: { fs?: boolean; terminal?: boolean };
  total?: Usage;
  cost?: number;
  context?: string;
  commands?: string;
  compacts?: boolean;
  foreign: string[];
  complaint?: string;
};

export function initialState(options: LaunchOptions): State {
  const { cwd, model, mode, effort, resume, fork, uuid } = options;
  return {
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
export function inOrder(state: State, ...steps: ((state: State) => Step<State>)[]): Step<State> {
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
