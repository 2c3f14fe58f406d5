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
  /** The model's message that is being told: texts of it are named after it. */
  current: number;
  /** Tool calls of that message by their place in it, while their inputs are streamed. */
  calls: Record<string, string>;
  /** Texts of that message, as items, for taking them back. */
  spoken: string[];
  waiting?: Waiting;
  /** The last message was stopped, or cut at the output limit. */
  stop?: "aborted" | "length";
};

export function initialState(options: LaunchOptions, rpc: boolean): PiState {
  return { ...initialTalk(options), ...quietStart, rpc, current: 0, calls: {}, spoken: [] };
}
