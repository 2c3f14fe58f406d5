import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { dialect } from "./dialect.ts";

const install = "npm install -g @xai-official/grok";
const channel = acp(dialect);

/** xAI's Grok Build over ACP. */
export const grok = defineAgent({
  id: "grok",
  name: "Grok Build",
  find: { bin: ["grok"], env: "GANTRY_GROK_BIN" },
  versions: { oldest: "1.0.41", newest: "1.0.41" },
  install: { npm: "@xai-official/grok", command: install },
  login: ["grok", "login"],
  env: dialect.env,
  // The options of a start belong before the transport.
  channels: [
    {
      ...channel,
      launch(options) {
        const { args, ...rest } = channel.launch(options);
        return { ...rest, args: [...args.filter((arg) => arg !== "stdio"), "stdio"] };
      },
    },
  ],
  modes: {
    plan: "reads and plans; edits and commands are refused",
    ask: "asks before every edit and command",
    "auto-edit": "edits freely and asks before commands",
    "full-auto": "asks only where its settings require it",
    inherit: "as configured in the agent",
  },
  answeredModes: ["auto-edit", "full-auto"],
  projectCode: {
    paths: [".grok", ".claude", ".cursor", ".codex", ".mcp.json", ".lsp.json"],
    text: [".grok/rules", ".claude/CLAUDE.md", ".claude/rules", ".cursor/rules"],
  },
  steer: "queue",
  resume: "id",
  fork: false,
  edits: false,
  can: ["questions", "compaction", "commands"],
  tasks: "list",
  fallbackModels: [],
  provider: "xai",
  probe: acpProbe({ name: "Grok Build", install, dialect, depth: "session", opensForUsersOnly: true }),
});
