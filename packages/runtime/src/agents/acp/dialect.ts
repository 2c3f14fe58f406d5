import type { FailureCategory, Mode } from "@gantry/protocol";

/** What a rung of the ladder is to an agent: set in the running conversation, or given to the process at its start. */
export type Rung = {
  /** The agent's own mode. */
  mode?: string;
  /** Other options of the conversation, by id. */
  options?: Record<string, string>;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
};

/** A text that the agent itself puts among the model's messages. Matched against a whole piece. */
export type Aside = {
  pattern: RegExp;
  /** `mode`: the first group is the mode that the agent has switched to. */
  as: "notice" | "retry" | "mode" | "compacting";
  /** Only pieces that belong to no message. */
  unnamed?: boolean;
};

/**
 * How one agent speaks ACP, as data: everything in which it departs from what the others do. What the agent says of
 * itself at run time (capabilities, models, modes, login methods) is not repeated here.
 */
export type Dialect = {
  /** The agent's id: its details are kept under it. */
  agent: string;
  /** The highest version of the protocol to offer. */
  version: 1 | 2;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  rungs: Partial<Record<Mode, Rung>>;
  /** Models are set by `session/set_model` although there is an option for it, or although none are listed. */
  setsModel?: boolean;
  /** Where a tool's name is when no field holds it. Without it the kind of tool stands in for the name. */
  toolName?: { in: "id" | "title"; pattern: RegExp };
  /** The title of a tool call that executes something is the command. */
  commandInTitle?: boolean;
  /** Before a tool runs, its content is its input as it is being written. */
  inputInContent?: boolean;
  asides?: readonly Aside[];
  /** A turn that ends well while its last message looks like this has failed. */
  failureText?: RegExp;
  /** As `failureText`, but only for turns whose end tells no tokens: the model was never reached. */
  failureWithoutUsage?: boolean;
  /** Words of this agent that the common table would read wrongly, or not at all. */
  failures?: readonly (readonly [RegExp, FailureCategory])[];
  /** How it says that a conversation to be resumed is not there, where the common words do not fit. */
  lost?: RegExp;
  /** Tokens are told for the whole process so far and not for the turn. */
  totalUsage?: boolean;
  /** Notifications and requests of its own that tell a session nothing; such requests are refused without a word. */
  quiet?: readonly string[];
  /** A slash command that compacts the conversation. */
  compact?: string;
  /** What to run in a terminal to log in. */
  login: string;
};
