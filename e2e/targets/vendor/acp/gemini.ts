import { rmSync } from "node:fs";
import { join } from "node:path";
import { projectSettings, userSettings, writeText } from "../../own-config.ts";
import type { Target } from "../../target.ts";

const tools = ["write_file", "replace", "run_shell_command"];
const allows = { tools: { allowed: tools }, general: { defaultApprovalMode: "auto_edit" } };
const policy = (decision: string) =>
  `[[rule]]\ntoolName = ${JSON.stringify(tools)}\ndecision = "${decision}"\npriority = 999\n`;

const gemini: Omit<Target, "version" | "name"> = {
  agent: "gemini",
  keyVariables: ["GEMINI_API_KEY"],
  otherModel: "gemini-3.5-flash-lite",
  questionMode: "ask",
  mainChannel: "--acp",
  outputLimit: 120_000,
  command: "memory",
  awaitsSubagents: true,
  tasks: "commands",
  hidesTaskResults: true,
  forget: (home) => rmSync(join(home, ".gemini", "tmp"), { recursive: true }),
  // It can resume a conversation only in a later minute than the one in which it started.
  extraPatienceMs: 60_000,
  configure: {
    permissive({ home }) {
      writeText(home, ".gemini/policies/all.toml", policy("allow"));
      userSettings(".gemini/settings.json", allows)({ home, folder: home });
    },
    project: projectSettings(".gemini/settings.json", { ...allows, general: { plan: { directory: "." } } }),
    restrictive: ({ home }) => writeText(home, ".gemini/policies/all.toml", policy("ask_user")),
  },
  projectCode: "ignored",
  memoryFile: "GEMINI.md",
  cannot: {
    retry: "Gemini retries a failed request without reporting it over ACP; its log output arrives only at the end.",
    "refused-connection":
      "Gemini retries a refused connection ten times without reporting it; only the deadline ends the turn.",
    compaction: "Gemini lists no ACP command to compact its conversation and does not report automatic compaction.",
    fork: "Gemini cannot copy a conversation over ACP.",
    cost: "Gemini reports tokens but no price.",
    "context-usage": "Gemini reports the tokens of a turn over ACP, but not how full its context is.",
    steer: "Gemini cannot add a message to a running turn: a second prompt cancels the first.",
    question: "Gemini disables its question tool over ACP.",
    "todo-list": "Gemini reports over ACP how many steps its to-do list has, but not their text.",
    "edit-input":
      "Gemini accepts only yes or no for a permission request over ACP; the answer cannot change what it runs.",
  },
};

export const geminiTargets: readonly Target[] = [
  { ...gemini, version: "0.61.0", name: "Gemini CLI 0.61.0" },
  { ...gemini, version: "0.41.0", name: "Gemini CLI 0.41.0", oldest: true, modesAtStart: "plan" },
];
