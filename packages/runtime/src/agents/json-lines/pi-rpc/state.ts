import type { LaunchOptions } from "../../contract.ts";
import { initialTalk } from "../talk.ts";
import { quietStart, type TwoWay } from "../two-way.ts";

/**
 * How a turn's end is known. `settled`: a later line says that nothing follows. `doubt`: the last request failed, and
 * whether it will be tried again shows only in what comes next.
 */
export type Waiting = "settled" | "doubt";

export type PiState = TwoWay & {
  /** Talks in both directions; in print mode the end of the process settles what is in doubt. */
  rpc: boolean;
  /** It was started with our gate, which keeps the rung. */
  gated: boolean;
  /** The model's message that is being told: texts of it are named after it. */
  current: number;
  /** Tool calls of that message by their place in it, while their inputs are streamed. */
  calls: Record<string, string>;
  /** Texts of that message, as items, for taking them back. */
  spoken: string[];
  /** Slash commands that run without the model, so that nothing but the answer tells that they did. */
  local?: string[];
  /** Our frame that named the one which runs. */
  command?: string;
  waiting?: Waiting;
  /** It goes on with a conversation that is on disk. */
  resumed: boolean;
  /** The conversation's id, until there is something of it on disk: with no answer in it, it cannot be resumed. */
  unsaved?: string;
  /** The last message was stopped, or cut at the output limit. */
  stop?: "aborted" | "length";
  /** What the turn has cost so far, in dollars, by the agent's own prices. */
  cost?: number;
  /** How much the model can hold. */
  window?: number;
  /** The user's message that asked for the compaction that is under way; empty where it has no id of ours. */
  compaction?: string;
  /** That it was compacted is told. */
  compacted?: boolean;
};

export function initialState(options: LaunchOptions, rpc: boolean, gated: boolean): PiState {
  return {
    ...initialTalk(options),
    ...quietStart,
    rpc,
    gated,
    resumed: options.resume !== undefined,
    current: 0,
    calls: {},
    spoken: [],
  };
}
