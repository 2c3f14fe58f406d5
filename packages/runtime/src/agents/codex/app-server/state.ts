import type { ControlValues, FileChange, Usage } from "@gantry/protocol";
import type { RpcId } from "../../../framing/json-rpc.ts";
import type { LaunchOptions } from "../../contract.ts";
import { compact, type Fields } from "../../fields.ts";
import { type Opening, openingOf } from "../kit.ts";
import type { Settings } from "../modes.ts";

export const CHANNEL = "app-server";

/** One of our requests without a response. `turn` is set once its turn was announced, `controls` by a turn that sets them. */
export type Pending = { method: string; message?: string; turn?: string; change?: Settings; controls?: ControlValues };

/** An open text: the published length and, for reasoning, its stream and part. */
export type OpenText = { length: number; source?: "summary" | "content"; part?: number; subagent?: string };

/** An open request of the agent, with the data needed to answer it. `decisions` are the native ones by option id. */
export type Ask = {
  id: RpcId;
  method: string;
  turn?: string;
  decisions?: Record<string, unknown>;
  permissions?: Fields;
  /** Types of the form's fields. */
  form?: Record<string, string>;
};

/** More are not followed, because each of their events copies all of them. */
export const MAX_OPEN_TEXTS = 200;
export const MAX_SUBAGENTS = 200;

/** A subagent with its own thread. `task`: it outlived its turn. `turn`: the running turn of its thread. */
export type Subagent = {
  running: boolean;
  usage?: Usage;
  title?: string;
  parent?: string;
  turn?: string;
  task?: boolean;
  stopping?: boolean;
};

/** A command that outlived its turn. `thread`: the one of a subagent, if it is not ours. */
export type BackgroundJob = { terminal: string; thread?: string; stopping?: boolean };

/** The decoder state: plain JSON, and no key holds `undefined`. Stored in marks, so field names are fixed. */
export type State = {
  options: Pick<
    LaunchOptions,
    "cwd" | "model" | "mode" | "effort" | "resume" | "fork" | "folders" | "controls" | "transient"
  >;
  /** Parameters for opening the thread; dropped once it is open. */
  given?: Opening;
  phase: "greeting" | "opening" | "open";
  nextId: number;
  /** One of our requests was seen: a result of another request is not ours. Absent in marks of earlier versions. */
  both?: true;
  pending: Record<string, Pending>;
  thread?: string;
  /** The thread's known settings. */
  settings: Settings;
  /** Settings to send with the next turn. */
  wanted: Settings;
  serviceTier?: string;
  /** The policy that replaced `on-failure`, which this version does not know. Absent in marks of earlier versions. */
  replaced?: true;
  turn?: string;
  lastTurn?: string;
  /** The agent echoes the ids of our messages when it reads them. */
  echoes?: true;
  /** Steers of the turn that the agent accepted and has not read. */
  steered?: string[];
  /** Usage of the thread, now and at the start of the turn. */
  total?: Usage;
  before?: Usage;
  context?: number;
  texts: Record<string, OpenText>;
  /** Open tool calls, each with its subagent or "". */
  tools: Record<string, string>;
  /** Terminals of the turn's commands, by item. */
  terminals: Record<string, string>;
  /** Commands that outlived their turn, by item. Absent in marks of earlier versions. */
  background?: Record<string, BackgroundJob>;
  /** The command lines of open terminals, by item. */
  commands?: Record<string, string>;
  /** Commands terminated after an interrupted turn: their end arrives late. */
  stopped: string[];
  /** Announced patches that may be asked about next. */
  patches: Record<string, FileChange[]>;
  /** The plan that the turn proposed. `held`: it is published after the message that introduces it. */
  plan?: { item: string; text: string; held?: true };
  asks: Record<string, Ask>;
  subagents: Record<string, Subagent>;
  diff?: string;
  limit?: string;
  compaction?: { manual?: boolean; before?: number };
  /** The turn of the last compaction. */
  compactedIn?: string;
  /** The last error line on stderr, to explain an exit. */
  complaint?: string;
};

export function initialState(options: LaunchOptions): State {
  const { cwd, model, mode, effort, resume, fork, folders, controls, transient } = options;
  return compact({
    options: compact({ cwd, model, mode, effort, resume, fork, folders, controls, transient }),
    given: openingOf(options),
    phase: "greeting",
    nextId: 1,
    pending: {},
    settings: {},
    wanted: compact({ ...(mode === "plan" ? { mode, asked: mode } : {}), effort }),
    texts: {},
    tools: {},
    terminals: {},
    stopped: [],
    patches: {},
    asks: {},
    subagents: {},
  });
}
