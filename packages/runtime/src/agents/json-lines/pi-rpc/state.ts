import type { LaunchOptions } from "../../contract.ts";
import { initialDecoderState } from "../pass.ts";
import { initialTwoWay, type TwoWayState } from "../two-way.ts";

/**
 * Why the end of a turn is pending. `settled`: a later line confirms it. `doubt`: the last request failed, and only
 * what follows shows whether it is retried.
 */
export type Waiting = "settled" | "doubt";

export type PiState = TwoWayState & {
  /** RPC mode. In print mode the exit of the process settles a pending end. */
  rpc: boolean;
  /** Started with our gate, which enforces the mode. */
  gated: boolean;
  /** The types of sent requests by id, empty after the response. Absent in a process that an older version started. */
  requests?: Record<string, string>;
  /** Number of the current message, used to name its texts. */
  current: number;
  /** Tool calls of that message by index, while their input is streamed. */
  calls: Record<string, string>;
  /** Text items of that message, for retraction. */
  spoken: string[];
  /** Slash commands that run without the model; only the response reports that they ran. */
  local?: string[];
  /** The frame that started the running one. */
  command?: string;
  waiting?: Waiting;
  /** The agent has confirmed the end of a turn with a dedicated line, so it need not be asked. */
  settles?: boolean;
  /** Resumes a stored conversation. */
  resumed: boolean;
  /** The conversation's id until it is stored: without a response it cannot be resumed. */
  unsaved?: string;
  /** The last message was aborted, or cut at the output limit. */
  stop?: "aborted" | "length";
  /** The turn's cost so far in dollars, by the agent's prices. */
  cost?: number;
  /** The model's context window. */
  window?: number;
  /** The user message that requested the running compaction; empty if its id is not ours. */
  compaction?: string;
  /** The compaction was published. */
  compacted?: boolean;
};

export function initialState(options: LaunchOptions, rpc: boolean, gated: boolean): PiState {
  return {
    ...initialDecoderState(options),
    ...initialTwoWay,
    rpc,
    gated,
    requests: {},
    resumed: options.resume !== undefined,
    current: 0,
    calls: {},
    spoken: [],
  };
}
