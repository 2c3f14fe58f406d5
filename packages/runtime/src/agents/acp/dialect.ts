import type { FailureCategory, Mode } from "@gantry/protocol";
import type { Channel, LaunchOptions } from "../contract.ts";
import type { Fields } from "../fields.ts";
import type { LaunchPart } from "../kit/launch-parts.ts";
import type { Extension } from "./requests/extension.ts";
import type { State } from "./state.ts";

/** What a rung of the ladder is to an agent: set in the running conversation, or given to the process at its start. */
export type Rung = {
  /** The agent's own mode. */
  mode?: string;
  /** Other options of the conversation, by id. */
  options?: Record<string, string>;
  args?: readonly string[];
  /** Arguments that come before all others. */
  first?: readonly string[];
  env?: Readonly<Record<string, string>>;
};

/** A text that the agent itself puts among the model's messages. Matched against a whole piece. */
export type Aside = {
  pattern: RegExp;
  /** `mode`: the first group is the mode that the agent has switched to. `compacted`: groups `before` and `after`. `uncompacted`: it came to nothing. */
  as: "notice" | "retry" | "mode" | "compacting" | "compacted" | "uncompacted";
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
  /** What of a kit it takes, where that is not the servers alone, as the protocol has them. */
  takes?: Channel["takes"];
  /** Servers are among what it is given at its start, since it takes none (or not all) with the conversation. */
  serversAtStart?: boolean;
  /** What it is given of a kit at its start; servers mostly go with the request that opens the conversation. */
  given?: (options: LaunchOptions) => readonly (LaunchPart | undefined)[];
  /** It says that it takes pictures, and drops them. */
  dropsImages?: boolean;
  /** Models are set by `session/set_model` although there is an option for it, or although none are listed. */
  setsModel?: boolean;
  /** Where a tool's name is when no field holds it. Without it the kind of tool stands in for the name. */
  toolName?: { in: "id" | "title"; pattern: RegExp };
  /** The title of a tool call that executes something is the command. */
  commandInTitle?: boolean;
  /** Before a tool runs, its content is its input as it is being written. */
  inputInContent?: boolean;
  /** What a command printed (`output`) and how it ended (`exit`), where one text holds them among other remarks. */
  printed?: RegExp;
  /** Every piece of reasoning is a whole thought under a subject, which may be empty. */
  wholeThoughts?: boolean;
  /** The provider's own name (the first group) in what the agent calls a model. */
  modelName?: RegExp;
  asides?: readonly Aside[];
  /** A line on stderr that tells of a request which it will try again, for agents that say it nowhere else; group `reason`. */
  retries?: RegExp;
  /** A turn that ends well while its last message looks like this has failed. */
  failureText?: RegExp;
  /** As `failureText`, but only for turns whose end tells no tokens: the model was never reached. */
  failureWithoutUsage?: boolean;
  /** Words of this agent that the common table would read wrongly, or not at all. */
  failures?: readonly (readonly [RegExp, FailureCategory])[];
  /** How it says that a conversation to be resumed is not there, where the common words do not fit. */
  lost?: RegExp;
  /** When a conversation that was opened then may be resumed by another process, where not at once; in milliseconds. */
  resumableFrom?: (opened: number) => number;
  /** How long after the end of a turn more of it may come, in milliseconds, where not as with most; 0: nothing comes. */
  trailMs?: number;
  /** Tokens are told for the whole process so far and not for the turn. */
  totalUsage?: boolean;
  /** A slash command that tells the tokens of the process so far, for agents that tell them in no other way. */
  tokens?: { command: string; pattern: RegExp };
  /** Notifications and requests of its own that tell a session nothing; such requests are refused without a word. */
  quiet?: readonly string[];
  /** Methods of its own that a session has to know of. */
  extensions?: Readonly<Record<string, Extension>>;
  /**
   * A tool call, or one that permission is asked for, as the others would tell it; `open` are the calls that run. For
   * agents that leave out its kind, or ask about a call under another name. Pure and total.
   */
  call?(call: Fields, open: State["tools"]): Fields;
  /** It answers with an empty result when a conversation to be opened again is not there. */
  emptyIsLost?: boolean;
  /** It lists the conversations of one folder, and of the one that it runs in when it is told none. */
  listsByFolder?: boolean;
  /** Conversations are opened again by `session/load` although it has `session/resume`. */
  loads?: boolean;
  /** The tool whose input is the list of the agent's steps, and the one that runs a subagent until that has ended. */
  planTool?: string;
  subagentTool?: string;
  /** What a subagent says comes among the agent's own messages, without a mark. */
  subagentsSpeak?: boolean;
  /** Ids of the options of a request that is about a finished plan. */
  planOptions?: RegExp;
  /** The tool that puts a finished plan before the user. */
  offersPlan?: string;
  /** It says itself in which mode an approved plan has left it. */
  tellsMode?: boolean;
  /** The option that a plain yes means, where another one of its kind comes first. */
  plainYes?: string;
  /** It asks its questions as forms, of a client that says that it has them. */
  forms?: boolean;
  /** A slash command that compacts the conversation; `unlisted` when it is not among the commands that it tells. */
  compact?: string;
  unlisted?: boolean;
  /** What to run in a terminal to log in. */
  login: string;
};
