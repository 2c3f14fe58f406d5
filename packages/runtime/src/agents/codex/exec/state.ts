import type { Failure, Usage } from "@gantry/protocol";
import type { LaunchOptions } from "../../contract.ts";
import { compact } from "../../fields.ts";

export const CHANNEL = "exec";

/** The decoder state, plain JSON. Stored in marks, so field names are fixed. */
export type State = {
  /** Item ids start at zero in every process; the prefix makes them unique. */
  prefix: string;
  model?: string;
  message?: string;
  /** The process resumes a thread, so its token counts include earlier turns. */
  resumed: boolean;
  turn: "none" | "running" | "over";
  total?: Usage;
  tools: string[];
  /** The failure that it is retrying. */
  retrying?: Failure;
  /** The output of a process that prints plain text. */
  plain?: string;
  /** The last error line on stderr, to explain an exit. */
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
