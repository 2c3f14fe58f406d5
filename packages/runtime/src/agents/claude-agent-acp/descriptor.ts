import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { dialect } from "./dialect.ts";

const RULES = "The adapter follows the allow rules of Claude Code's own settings.";
const install = "npm install -g @agentclientprotocol/claude-agent-acp";

/** Claude through its ACP adapter. */
export const claudeAgentAcp = defineAgent({
  id: "claude-agent-acp",
  name: "Claude (ACP adapter)",
  find: { bin: ["claude-agent-acp"], env: "GANTRY_CLAUDE_AGENT_ACP_BIN" },
  install: { npm: "@agentclientprotocol/claude-agent-acp", command: install },
  login: ["claude", "auth", "login"],
  channels: [acp(dialect)],
  modes: {
    plan: "plans before it changes anything",
    ask: "asks before every edit and command",
    "auto-edit": "edits freely and asks before commands",
    "full-auto": "never asks",
    inherit: "as configured in the agent",
  },
  unenforced: { plan: RULES, ask: RULES, "auto-edit": RULES },
  projectCode: {
    paths: [".claude", ".mcp.json"],
    text: [".claude/CLAUDE.md", ".claude/rules", ".claude/plans", ".claude/worktrees"],
  },
  steer: "queue",
  resume: "id",
  fork: true,
  edits: false,
  can: ["images", "commands"],
  fallbackModels: [],
  provider: "anthropic",
  probe: acpProbe({
    name: "Claude (ACP adapter)",
    install,
    dialect,
    version: ["--version"],
    depth: "greeting",
  }),
});
