import { rmSync } from "node:fs";
import { join } from "node:path";
import { projectSettings, userSettings } from "../own-config.ts";
import type { Target } from "../target.ts";

const tools = ["Write", "Edit", "Bash", "WebFetch"];
const allows = { permissions: { allow: [...tools, "Bash(*)"], defaultMode: "bypassPermissions" } };

const claude: Omit<Target, "version" | "name"> = {
  agent: "claude",
  keyVariables: ["ANTHROPIC_API_KEY"],
  otherModel: "claude-haiku-4-5",
  questionMode: "ask",
  // With BASH_MAX_OUTPUT_LENGTH at its maximum; the default is 30,000.
  outputLimit: 120_000,
  compactPrompt: "/compact",
  planPrompt: "[[writeplan]] go",
  awaitsSubagents: true,
  givesBack: true,
  tasks: "all",
  forget: (home) => rmSync(join(home, ".claude", "projects"), { recursive: true }),
  // In acceptEdits it also runs commands that only change files of the folder.
  freeCommands: true,
  configure: {
    permissive: userSettings(".claude/settings.json", allows),
    project: projectSettings(".claude/settings.json", allows),
    restrictive: userSettings(".claude/settings.json", { permissions: { ask: tools, defaultMode: "plan" } }),
  },
  controls: [
    ...["plan", "default", "dontAsk", "acceptEdits", "auto"].map((native) => ({
      mode: "full-auto" as const,
      set: { "permission-mode": native },
      applied: { "permission-mode": [native] },
    })),
    { mode: "ask", set: { "output-style": "Explanatory" }, applied: { "output-style": ["Explanatory"] } },
    { mode: "inherit", set: {}, applied: { "permission-mode": ["default"], "output-style": ["default"] } },
  ],
  tooMuch: { "permission-mode": "auto" },
  projectCode: "ignored",
  memoryFile: "CLAUDE.md",
  cannot: {},
  // Anthropic has no such response: it reports a rate limit or a billing failure instead.
  leavesOut: ["error-quota"],
};

const SUBAGENTS_HOLD_TURNS =
  "Claude Code 2.1.118 ends a turn only when the subagents that it started in the background have ended.";

export const claudeTargets: readonly Target[] = [
  { ...claude, version: "2.1.326", name: "Claude Code 2.1.326" },
  { ...claude, version: "2.1.197", name: "Claude Code 2.1.197" },
  {
    ...claude,
    version: "2.1.118",
    name: "Claude Code 2.1.118",
    oldest: true,
    cannot: { "task-subagent": SUBAGENTS_HOLD_TURNS, "task-outlive": SUBAGENTS_HOLD_TURNS },
  },
];
