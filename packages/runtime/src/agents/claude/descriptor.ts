import { defineAgent, defineChannel } from "../contract.ts";
import { streamJson } from "./channel.ts";
import { claudeControls } from "./controls.ts";
import { history } from "./history/history.ts";
import { fallbackModels } from "./models.ts";
import { modes } from "./modes.ts";
import { PROVIDER } from "./outputs.ts";
import { probe } from "./probe.ts";

/** Claude Code's command line. */
export const claude = defineAgent({
  id: "claude",
  name: "Claude Code",
  find: { bin: ["claude"], env: "GANTRY_CLAUDE_BIN" },
  versions: { oldest: "2.1.118", newest: "2.1.326" },
  install: { npm: "@anthropic-ai/claude-code", command: "npm install -g @anthropic-ai/claude-code" },
  login: ["claude", "auth", "login"],
  channels: [defineChannel(streamJson)],
  modes,
  controls: claudeControls,
  projectCode: {
    paths: [".claude", ".mcp.json"],
    text: [".claude/CLAUDE.md", ".claude/rules", ".claude/plans", ".claude/worktrees"],
    memory: ["CLAUDE.md", ".claude/CLAUDE.md"],
  },
  commandFiles: {
    root: { variable: "CLAUDE_CONFIG_DIR", path: ".claude" },
    folders: [
      { kind: "command", user: "commands", project: ".claude/commands" },
      { kind: "skill", user: "skills", project: ".claude/skills" },
      { kind: "style", user: "output-styles", project: ".claude/output-styles" },
    ],
    styles: ["default", "Explanatory", "Learning"],
  },
  steer: "inline",
  resume: "id",
  fork: true,
  edits: true,
  can: ["images", "questions", "compaction", "commands"],
  tasks: "stop",
  fallbackModels,
  smallModels: ["haiku", "*haiku*"],
  provider: PROVIDER,
  history,
  probe,
});
