import type { Failure, Usage } from "@gantry/protocol";
import type { LaunchOptions } from "../../contract.ts";
import { compact } from "../../fields.ts";

export const CHANNEL = "exec";

/** Everything that the decoder remembers: a plain JSON value. */
export type State = {
  /** Item ids count from zero in every process; this keeps those of a session apart. */
  prefix: string;
  model?: string;
  message?: string;
  /** The process goes on with an older thread, so its token counts include what is not ours to count. */
  resumed: boolean;
  turn: "none" | "running" | "over";
  total?: Usage;
  tools: string[];
  /** What it is retrying for, until it gets on. */
  retrying?: Failure;
  /** What a process that prints plain text has said. */
  plain?: string;
  /** The last complaint on stderr, for the case that the process ends without a word. */
  complaint?: string;
};

export function initialState(options: LaunchOptions): State {
  return compact({
    prefix: options.uuid.slice(0, 8),
    model: options.model,
    message: options.prompt?.message,
    resumed: options.resume !== undefined,
    turn: "none",
    tools: [],
  } as const);
}
