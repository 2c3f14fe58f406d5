import type { ControlSet, FailureCategory, InputAnswer, Mode } from "@gantry/protocol";
import type { Channel, InputDraft, Launch, LaunchOptions, Step } from "../contract.ts";
import type { Fields } from "../fields.ts";
import { type LaunchPart, mergeLaunch } from "../kit/launch-parts.ts";
import type { State } from "./state.ts";

/** How an agent implements a mode: set in the running conversation, or passed to the process at start. */
export type Rung = {
  /** The agent's native mode. */
  mode?: string;
  /** Other options of the conversation, by id. */
  options?: Record<string, string>;
  args?: readonly string[];
  /** Leading arguments. */
  first?: readonly string[];
  env?: Readonly<Record<string, string>>;
};

/** Text from the agent itself, in the stream of model messages. Matched against a whole chunk. */
export type Aside = {
  pattern: RegExp;
  /**
   * `mode`: the first group is the agent's new mode. `compacted`: groups `before` and `after`. `uncompacted`: the
   * compaction failed or did nothing.
   */
  as: "notice" | "retry" | "mode" | "compacting" | "compacted" | "uncompacted";
  /** Matches only chunks without a message id. */
  unnamed?: boolean;
};

/** A vendor method, as notification or request. All functions are pure and total: params may be anything. */
export type Extension = {
  /** Decodes the params. */
  notify?(state: State, params: Fields): Step<State>;
  /** Maps a request to an input for the user. */
  ask?: ExtensionInput;
  /** The result of a request that needs no user. */
  taken?: Fields;
};

export type ExtensionInput = {
  /** The input, and the data needed to encode the answer (stored in the state). */
  request(params: Fields): { input: InputDraft; data: Fields };
  /** Encodes an answer for the agent, and decodes a recorded one. */
  result(answer: InputAnswer, data: Fields): Fields;
  read(result: Fields, data: Fields): InputAnswer;
};

/**
 * An agent's deviations from the protocol, as data. What the agent reports at run time (capabilities, models, modes,
 * login methods) is not repeated here.
 */
export type Dialect = {
  /** The agent's id. */
  agent: string;
  /** The highest protocol version to offer. */
  version: 1 | 2;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  rungs: Partial<Record<Mode, Rung>>;
  /**
   * Native controls of the agent. `native` is the one whose choices are the agent's own modes. They are set when a
   * conversation is opened.
   */
  controls?: { set: ControlSet; native: string };
  /** As in `Channel`. */
  ignoresProject?: Channel["ignoresProject"];
  /** The native modes are defined at start, and their names end in the process's id. */
  modesPerProcess?: true;
  /** Sent with every prompt in plan mode, for agents whose plan mode is only a set of permissions. */
  planNote?: string;
  /** Supported kit parts; MCP servers only by default, as in the protocol. */
  takes?: Channel["takes"];
  /** Further folders are passed at start, because the agent does not accept them when a conversation is opened. */
  foldersAtStart?: boolean;
  /** Servers are passed at start, because the agent does not accept (all of) them when a conversation is opened. */
  serversAtStart?: boolean;
  /** Launch parts for the kit. Servers usually go with the request that opens the conversation. */
  given?: (options: LaunchOptions) => readonly (LaunchPart | undefined)[];
  /** Advertises image support but drops images. */
  dropsImages?: boolean;
  /** Sets models with `session/set_model` although there is a config option, or although none are listed. */
  setsModel?: boolean;
  /** Sets modes with `session/set_mode` although none are listed. */
  setsMode?: boolean;
  /** Where to find a tool's name when no field holds it. The default is the tool's kind. */
  toolName?: { in: "id" | "title"; pattern: RegExp };
  /** The title of an execute call is the command. */
  commandInTitle?: boolean;
  /** Before a tool runs, its content is the streamed input. */
  inputInContent?: boolean;
  /**
   * Finds a command's `output` and `exit` code in one text with the agent's remarks. Without `output`, the raw output is
   * used.
   */
  printed?: RegExp;
  /**
   * The output of a command that was left running, with its process `pid` and the agent's id for it (`task`). Gantry
   * watches the process.
   */
  background?: RegExp;
  /** Every reasoning chunk is a complete thought with a heading, which may be empty. */
  wholeThoughts?: boolean;
  /** Extracts the provider's model name (first group) from the agent's. */
  modelName?: RegExp;
  asides?: readonly Aside[];
  /** A stderr line that announces a retry (group `reason`), for agents that report retries nowhere else. */
  retries?: RegExp;
  /** A turn that ends normally has failed if its last message matches. */
  failureText?: RegExp;
  /** Ends a turn as cancelled when the user denies a call. */
  endsOnDenial?: boolean;
  /** Like `failureText`, for turns without usage: the model was never reached. */
  failureWithoutUsage?: boolean;
  /** Error texts that the common table would misclassify or miss. */
  failures?: readonly (readonly [RegExp, FailureCategory])[];
  /** The error text for a missing conversation, where the common pattern does not match. */
  lost?: RegExp;
  /** See `Channel.resumableFrom`. */
  resumableFrom?: (opened: number) => number;
  /** How long to wait for late output after the end of a turn, in ms; 0 for none. May depend on what the agent offers. */
  trailMs?: number | ((can: State["can"]) => number);
  /** Usage is cumulative per process, not per turn. */
  totalUsage?: boolean;
  /** A slash command that prints the cumulative usage, for agents that report it in no other way. */
  tokens?: { command: string; pattern: RegExp };
  /** Vendor methods without session data. Such requests are rejected without a notice. */
  quiet?: readonly string[];
  /** Drops notifications outside the protocol: methods whose names start with an underscore. */
  ignoresExtensions?: boolean;
  /** Vendor methods that matter to a session. */
  extensions?: Readonly<Record<string, Extension>>;
  /**
   * Normalises a tool call or the call of a permission request; `open` are the running calls. For agents that omit the
   * kind, or use another id in permission requests. Pure and total.
   */
  call?(call: Fields, open: State["tools"]): Fields;
  /** Returns an empty result when the conversation to resume does not exist. */
  emptyIsLost?: boolean;
  /** Lists the conversations of one folder only, by default of its working folder. */
  listsByFolder?: boolean;
  /** Sends the history for `session/resume` too. */
  replaysOnResume?: boolean;
  /** Resumes with `session/load` although it has `session/resume`. */
  loads?: boolean;
  /** The tools for the agent's plan and for running a subagent to completion. */
  planTool?: string;
  subagentTool?: string;
  /** Subagent messages arrive unmarked among the agent's messages. */
  subagentsSpeak?: boolean;
  /** Option ids that identify a plan approval. */
  planOptions?: RegExp;
  /** The tool that submits a finished plan. */
  offersPlan?: string;
  /** The agent reports its mode after the approval of this call's plan. */
  tellsMode?: (call: Fields) => boolean;
  /** Option ids that identify a question: each option is an answer. */
  answerOptions?: RegExp;
  /** A cancelled request leaves its conversation unusable, so a request that is open when the turn is stopped is denied. */
  deniesOnStop?: boolean;
  /** The option for a plain approval, where another one of its kind comes first. */
  plainYes?: string;
  /** Asks questions as form elicitations if the client advertises them. */
  forms?: boolean;
  /** The slash command that compacts the conversation; `unlisted` if the agent does not list it. */
  compact?: string;
  unlisted?: boolean;
  /** The login command; none if it is not known. */
  login?: string;
};

/** How to start the agent. A part of what a mode promises may be pinned here: by arguments, files or environment. */
export function launchOf(dialect: Dialect, options: LaunchOptions): Launch {
  const rung = dialect.rungs[options.mode];
  const args = [...(rung?.first ?? []), ...dialect.args, ...(rung?.args ?? [])];
  return mergeLaunch({ args, env: { ...dialect.env, ...rung?.env } }, ...(dialect.given?.(options) ?? []));
}

/** Whether the agent sends the history before it answers the request that opens the conversation. */
export function replaysFor({ replaysOnResume }: Dialect, method: string): boolean {
  return method === "session/load" || (replaysOnResume === true && method === "session/resume");
}
