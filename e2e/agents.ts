import type { VendorAgent } from "@gantry/testkit";

/** One row of the matrix: a vendor's program in one version, and what about it a scenario must know. */
export type Target = {
  agent: VendorAgent;
  version: string;
  /** For tables: `Claude Code 2.1.325`. */
  name: string;
  /** The variable through which it gets its key. */
  keyVariable: string;
  /** A second model that it takes by name. */
  otherModel: string;
  /** The mode in which it may ask its user questions. */
  questionMode: "ask" | "plan";
  /** The command that its main channel needs, where there is a second channel to fall back to. */
  mainChannel?: string;
  /** Characters of a command's output that it hands on whole. */
  outputLimit: number;
  /** What makes it compact its conversation: words to it, or nothing where its configuration does. */
  compactPrompt?: string;
  /** Does a call of a subagent last until that has ended? Otherwise it runs beside the turn. */
  awaitsSubagents: boolean;
  /** Scenarios that are beyond the agent itself, with the reason. */
  cannot: Readonly<Record<string, string>>;
};

const claude: Omit<Target, "version" | "name"> = {
  agent: "claude",
  keyVariable: "ANTHROPIC_API_KEY",
  otherModel: "claude-haiku-4-5",
  questionMode: "ask",
  // With BASH_MAX_OUTPUT_LENGTH at its maximum; by default it is 30,000.
  outputLimit: 120_000,
  compactPrompt: "/compact",
  awaitsSubagents: true,
  cannot: {},
};

const codex: Omit<Target, "version" | "name"> = {
  agent: "codex",
  keyVariable: "SCRIPTED_API_KEY",
  otherModel: "scripted-other",
  questionMode: "plan",
  mainChannel: "app-server",
  outputLimit: 300_000,
  awaitsSubagents: false,
  cannot: {
    "edit-input": "Codex takes only yes or no to a patch or command; what it runs cannot be changed by the answer.",
    retry: "Codex tries a failed request again without a word; it tells only of streams that it opens anew.",
    cost: "Codex counts tokens and tells no price.",
    commands: "Codex's app-server has no slash commands; they belong to its own terminal interface.",
  },
};

/** The versions that are tried, newest first. */
export const targets: readonly Target[] = [
  { ...claude, version: "2.1.325", name: "Claude Code 2.1.325" },
  { ...claude, version: "2.1.197", name: "Claude Code 2.1.197" },
  { ...codex, version: "0.166.0", name: "Codex 0.166.0" },
];
