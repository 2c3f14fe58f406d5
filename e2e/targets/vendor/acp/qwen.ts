import { rmSync } from "node:fs";
import { join } from "node:path";
import { projectSettings, userSettings } from "../../own-config.ts";
import type { Target } from "../../target.ts";

const tools = ["write_file", "edit", "run_shell_command"];
const allows = { permissions: { allow: tools }, tools: { approvalMode: "yolo" } };

const qwen: Omit<Target, "version" | "name"> = {
  agent: "qwen",
  keyVariables: ["OPENAI_API_KEY"],
  otherModel: "scripted-other",
  questionMode: "ask",
  mainChannel: "--acp",
  outputLimit: 120_000,
  command: "compress",
  compactPrompt: "/compress",
  // It does not report the tokens of a compaction.
  unbilled: ["compaction"],
  awaitsSubagents: true,
  tasks: "commands",
  hidesTaskResults: true,
  lists: true,
  forget: (home) => rmSync(join(home, ".qwen", "projects"), { recursive: true }),
  // It makes seven attempts when the provider fails, with growing delays.
  extraPatienceMs: 90_000,
  configure: {
    permissive: userSettings(".qwen/settings.json", allows),
    project: projectSettings(".qwen/settings.json", allows),
    restrictive: userSettings(".qwen/settings.json", { permissions: { ask: tools }, tools: { approvalMode: "plan" } }),
  },
  projectCode: "ignored",
  memoryFile: "QWEN.md",
  editsAnywhere: true,
  cannot: {
    fork: "Qwen cannot copy a conversation over ACP.",
    cost: "Qwen reports tokens but no price.",
    "refused-connection": "Qwen retries a refused connection without reporting it; only the deadline ends the turn.",
    retry: "Qwen retries a failed request without reporting it.",
    "error-quota": "Qwen reports every 429 as a temporary rate limit and drops the provider's message.",
    steer: "Qwen cannot add a message to a running turn: a second prompt makes the first one fail.",
    "edit-input":
      "Qwen accepts only yes or no for a permission request over ACP; the answer cannot change what it runs.",
    "big-output":
      "Qwen passes on at most 32,000 characters of a command's output, with the path of the file that holds the rest.",
  },
};

/** It passes on all of a command's output. */
const { "big-output": _, ...olderLimits } = qwen.cannot;

export const qwenTargets: readonly Target[] = [
  { ...qwen, version: "0.24.4", name: "Qwen Code 0.24.4" },
  {
    ...qwen,
    version: "0.15.6",
    name: "Qwen Code 0.15.6",
    oldest: true,
    hidesMcpNames: true,
    // It makes more attempts than newer versions, with longer delays.
    extraPatienceMs: 400_000,
    cannot: {
      ...olderLimits,
      rebuild: "Qwen 0.15 opens an empty conversation in place of a missing one and does not report it.",
      "context-usage": "Qwen 0.15 does not report how full its context is.",
    },
  },
];
