/** One row of the matrix: an agent's program in one version, and what about it a scenario must know. */
export type Target = {
  /** The agent's id. */
  agent: string;
  version: string;
  /** For tables: `Claude Code 2.1.325`. */
  name: string;
  /**
   * Where the vendor's own program cannot be had: makes one that speaks its protocol, in `folder`, and says for the
   * table what it was made from.
   */
  fake?: { from: string; write(folder: string): string };
  /** It comes with Gantry, so that there is nothing to install: what it needs to ask the scripted model. */
  own?: { environment(home: string, modelUrl: string): Record<string, string> };
  /** Its models are behind a service of its maker's, for which the scripted model stands in as far as it is known. */
  fakeService?: true;
  /** The variables through which it gets its key; unset for the scenario without one. */
  keyVariables: readonly string[];
  /** Takes the key away where it is not (only) in a variable, such as in a configuration file below `home`. */
  withoutKey?(home: string): void;
  /** A second model that it takes by name, and what the provider is then asked for, where that is not the same. */
  otherModel: string;
  otherModelServed?: string;
  /** The mode in which it may ask its user questions. */
  questionMode: "ask" | "plan";
  /** The argument that its main channel needs, where there is a second channel to fall back to. */
  mainChannel?: string;
  /** Characters of a command's output that it hands on whole. */
  outputLimit: number;
  /** Part of the name of a slash command that it lists; by default `compact`. */
  command?: string;
  /** What makes it compact its conversation: words to it, or nothing where its configuration does. */
  compactPrompt?: string;
  /** Does a call of a subagent last until that has ended? Otherwise it runs beside the turn. */
  awaitsSubagents: boolean;
  /** Takes the conversations away that the agent keeps below its `home`, behind its back. */
  forget?(home: string): void;
  /** It tells which conversations it keeps. */
  lists?: true;
  /** How much longer than others it may take, because it must be waited for. */
  extraPatienceMs?: number;
  /** It tells no tokens at all, or none of some turns of these scenarios, so that turns need not be billed. */
  unbilled?: true | readonly string[];
  /** What makes the scripted model put a plan before a person; by default `[[plan]]`. */
  planPrompt?: string;
  /** It does not tell a new file from one that is there. */
  blindToNewFiles?: true;
  /** The mode in which it writes files without asking; by default `auto-edit`. */
  writeMode?: "auto-edit" | "full-auto";
  /** What it may do is settled when it starts, so that it is started anew for another mode. */
  modesAtStart?: true;
  /** It takes a refused connection for final and does not try again. */
  givesUp?: true;
  /** It has a shell with the usual programs inside, so that there is no process of a command to be seen. */
  runsCommandsItself?: true;
  /** Scenarios that are beyond the agent itself, with the reason. */
  cannot: Readonly<Record<string, string>>;
  /** Scenarios that make no sense with it: not tried, and blank in the table. */
  leavesOut?: readonly string[];
};
