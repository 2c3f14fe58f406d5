import type { FileChange, Usage } from "@gantry/protocol";
import type { RpcId } from "../../../framing/json-rpc.ts";
import type { LaunchOptions, Step } from "../../contract.ts";
import { compact, type Fields } from "../../fields.ts";
import { type Opening, openingOf } from "../kit.ts";
import type { Settings } from "../modes.ts";

export const CHANNEL = "app-server";

/** A request of ours that has no answer yet. `turn` is set once the turn that it starts has been announced. */
export type Pending = { method: string; message?: string; turn?: string; change?: Settings };

/** An open text item: how much of it was passed on, and for reasoning which of its streams and parts. */
export type OpenText = { length: number; source?: "summary" | "content"; part?: number; subagent?: string };

/** An open question of the agent: what its answer needs. `decisions` are the native ones by option id. */
export type Ask = {
  id: RpcId;
  method: string;
  turn?: string;
  decisions?: Record<string, unknown>;
  permissions?: Fields;
  /** Types of the fields of a form. */
  form?: Record<string, string>;
};

/** An agent that works for ours on a thread of its own. */
export type Subagent = { running: boolean; usage?: Usage };

/** Everything that the decoder remembers. A plain JSON value: no key holds `undefined`. */
export type State = {
  options: Pick<LaunchOptions, "cwd" | "model" | "mode" | "effort" | "resume" | "fork" | "folders">;
  /** What the thread is to be opened with; gone once it is open. */
  given?: Opening;
  phase: "greeting" | "opening" | "open";
  nextId: number;
  pending: Record<string, Pending>;
  thread?: string;
  /** What the thread runs with, as far as it was said. */
  settings: Settings;
  /** What the next turn must ask for. */
  wanted: Settings;
  serviceTier?: string;
  turn?: string;
  lastTurn?: string;
  /** Tokens of the whole thread so far, and at the beginning of the turn. */
  total?: Usage;
  before?: Usage;
  context?: number;
  texts: Record<string, OpenText>;
  /** Open tool calls, each with the subagent whose it is, or "". */
  tools: Record<string, string>;
  /** Terminals that commands of the turn run in, by item. */
  terminals: Record<string, string>;
  /** Items of commands that were ended after their turn had been interrupted: their end comes late. */
  stopped: string[];
  /** Patches that were announced and may be asked about next. */
  patches: Record<string, FileChange[]>;
  asks: Record<string, Ask>;
  subagents: Record<string, Subagent>;
  diff?: string;
  limit?: string;
  compaction?: { manual?: boolean; before?: number };
  /** The turn that the last compaction was in. */
  compactedIn?: string;
  /** The last complaint on stderr, for the case that the process ends. */
  complaint?: string;
};

export function initialState(options: LaunchOptions): State {
  const { cwd, model, mode, effort, resume, fork, folders } = options;
  return compact({
    options: compact({ cwd, model, mode, effort, resume, fork, folders }),
    given: openingOf(options),
    phase: "greeting",
    nextId: 1,
    pending: {},
    settings: {},
    wanted: compact({ mode: mode === "plan" ? mode : undefined, effort }),
    texts: {},
    tools: {},
    terminals: {},
    stopped: [],
    patches: {},
    asks: {},
    subagents: {},
  });
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
