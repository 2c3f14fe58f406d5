import type { ControlValues, Mode } from "@gantry/protocol";
import type { OwnConfig } from "../harness/setting.ts";

/** Writes a configuration of the agent: the user's below `home`, the project's below `folder`. */
export type Configure = (place: { home: string; folder: string }) => void;

/** Requested native controls, and the values of each that the agent may report then. */
export type ControlCheck = {
  mode: Mode;
  set: ControlValues;
  applied: Readonly<Record<string, readonly string[]>>;
  modeApplied?: Mode;
};

/** One column of the matrix: an agent's program in one version, and the facts about it that scenarios need. */
export type Target = {
  /** The agent's id. */
  agent: string;
  version: string;
  /** The vendor's entry, if the program is not the agent's own: a library that a worker hosts. */
  vendor?: string;
  /** The channel that the program is for, if it is not the agent's preferred one. */
  channel?: string;
  /** For tables: `Claude Code 2.1.325`. */
  name: string;
  /**
   * For an agent whose program cannot be installed here: writes a fake that speaks its protocol into `folder` and returns
   * its path. `from` is the source of the fake, for the table.
   */
  fake?: { from: string; write(folder: string): string };
  /** The agent is part of Gantry, so nothing is installed. Returns the environment that points it at the scripted model. */
  own?: { environment(home: string, modelUrl: string): Record<string, string> };
  /** Its models run behind the vendor's service; the scripted model imitates the known part of that service. */
  fakeService?: true;
  /** The environment variables that hold its key; the scenario without a key unsets them. */
  keyVariables: readonly string[];
  /** Removes a key that is stored elsewhere, such as in a configuration file below `home`. */
  withoutKey?(home: string): void;
  /** A second model that it accepts by name, and the name that the provider then receives if it differs. */
  otherModel: string;
  otherModelServed?: string;
  /** The mode in which it may ask its user questions. */
  questionMode: "ask" | "plan";
  /** Whether a turn in plan mode ends with a plan, without a request for its approval. */
  proposesPlans?: boolean;
  /** The argument that its main channel needs, if it has a second channel to fall back to. */
  mainChannel?: string;
  /** The number of characters of a command's output that it passes on in full. */
  outputLimit: number;
  /** Part of the name of a slash command that it lists; `compact` by default. */
  command?: string;
  /** The prompt that makes it compact its conversation; none if its configuration triggers the compaction. */
  compactPrompt?: string;
  /** True if a subagent's call lasts until the subagent has ended; false if the subagent runs in the background. */
  awaitsSubagents: boolean;
  /** Its background tasks: commands only, or subagents as well. */
  tasks?: "commands" | "all";
  /** It gives back a message that was sent into a running turn, until the model reads it. */
  givesBack?: true;
  /** It does not report how a background command ended; Gantry sees only that it ended. */
  hidesTaskResults?: true;
  /** Deletes the conversations that the agent stores below `home`, without the agent's knowledge. */
  forget?(home: string): void;
  /** It can list its stored conversations. */
  lists?: true;
  /** Extra time that its scenarios may take because the agent itself is slow. */
  extraPatienceMs?: number;
  /** It reports no token counts, or none for turns of these scenarios, so turns need not have usage. */
  unbilled?: true | readonly string[];
  /** The prompt that makes the scripted model submit a plan for approval; `[[plan]]` by default. */
  planPrompt?: string;
  /** It reports a new file as an update. */
  blindToNewFiles?: true;
  /** The mode in which it writes files without asking; `auto-edit` by default. */
  writeMode?: "auto-edit" | "full-auto";
  /** Its own configuration, by kind: what it offers to allow or to ask for everything, for the user and for a project. */
  configure?: Partial<Record<OwnConfig, Configure>>;
  /** It cannot ask for approval, so scenarios about tools run in full-auto. */
  neverAsks?: true;
  /** In auto-edit it edits files outside of its folders without asking: it has no boundary between folders. */
  editsAnywhere?: true;
  /** In auto-edit it also runs commands without asking: in its sandbox, or because they have a low risk. */
  freeCommands?: true;
  /** Its native controls: what to request in which mode, and the values that it may report then. */
  controls?: readonly ControlCheck[];
  /** Controls that allow more than plan mode. */
  tooMuch?: ControlValues;
  /** The service tier in its requests while Fast is on. */
  fastTier?: string;
  /**
   * It takes its permissions at start, so another mode needs a restart; `freer`: only a mode that allows more than ask;
   * `plan`: only leaving plan mode.
   */
  modesAtStart?: true | "freer" | "plan";
  /** It connects MCP servers after the conversation is open, so their tools are missing for a moment. */
  connectsLate?: true;
  /** It treats a refused connection as final and does not retry. */
  givesUp?: true;
  /** It interprets shell commands in its own process, so a command has no process to observe. */
  runsCommandsItself?: true;
  /** Before the user has trusted a project with code for the agent: it starts without that code, or not at all. */
  projectCode?: "ignored" | "refused";
  /** It runs the project's code only in a folder that the user has trusted in the agent itself, too. */
  hasOwnTrust?: true;
  /** The file of a project with instructions for the agent; `AGENTS.md` by default. */
  memoryFile?: string;
  /** The oldest supported version; `--no-oldest` leaves it out. */
  oldest?: true;
  /** Not every scenario has been run with this version; the other cells are blank. */
  partial?: true;
  /** Its calls of MCP tools do not name the server and the tool. */
  hidesMcpNames?: true;
  /** Scenarios that the agent itself cannot do, with the reason. */
  cannot: Readonly<Record<string, string>>;
  /** Scenarios that do not apply to it: not run, and blank in the table. */
  leavesOut?: readonly string[];
};
