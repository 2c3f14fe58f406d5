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
  /** Starts its fallback channel: the first argument without which its main channel does not exist. */
  mainChannel?: string;
  /** Scenarios that are beyond the agent itself, with the reason. */
  cannot: Readonly<Record<string, string>>;
};

const claude: Omit<Target, "version" | "name"> = {
  agent: "claude",
  keyVariable: "ANTHROPIC_API_KEY",
  otherModel: "claude-haiku-4-5",
  questionMode: "ask",
  cannot: {},
};

const codex: Omit<Target, "version" | "name"> = {
  agent: "codex",
  keyVariable: "SCRIPTED_API_KEY",
  otherModel: "scripted-other",
  questionMode: "plan",
  mainChannel: "app-server",
  cannot: {
    "edit-input": "Codex takes only yes or no to a patch or command; what it runs cannot be changed by the answer.",
  },
};

/** The versions that are tried, newest first. */
export const targets: readonly Target[] = [
  { ...claude, version: "2.1.325", name: "Claude Code 2.1.325" },
  { ...claude, version: "2.1.197", name: "Claude Code 2.1.197" },
  { ...codex, version: "0.166.0", name: "Codex 0.166.0" },
];
