import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { knownSince } from "../probing/fallback.ts";
import { dialect } from "./dialect.ts";
import { streamJson } from "./stream-json/channel.ts";

const install = "npm install -g @qwen-code/qwen-code";

/** Qwen Code over ACP. */
export const qwen = defineAgent({
  id: "qwen",
  name: "Qwen Code",
  find: { bin: ["qwen"], env: "GANTRY_QWEN_BIN" },
  versions: { oldest: "0.15", newest: "0.24.4" },
  install: { npm: "@qwen-code/qwen-code", command: install },
  login: ["qwen"],
  env: dialect.env,
  channels: [acp(dialect), streamJson],
  channelOf: knownSince("0.15.6", "acp"),
  modes: {
    plan: "reads and plans, changes nothing",
    ask: "asks before every edit and command",
    "auto-edit": "edits freely and asks before commands",
    "full-auto": "never asks",
    inherit: "as configured in the agent",
  },
  // Versions before 0.21 ask in every mode for what an `ask` rule covers.
  answeredModes: ["auto-edit", "full-auto"],
  projectCode: { paths: [".qwen", ".mcp.json"], text: [".qwen/QWEN.md"], memory: ["QWEN.md", "AGENTS.md"] },
  tasks: "stop",
  commandFiles: {
    root: { path: ".qwen" },
    folders: [
      { kind: "command", user: "commands", project: ".qwen/commands", extension: ".toml" },
      { kind: "skill", user: "skills", project: ".qwen/skills" },
    ],
  },
  steer: "queue",
  resume: "id",
  fork: false,
  edits: false,
  can: ["images", "questions", "compaction", "commands"],
  fallbackModels: [],
  smallModels: ["*-flash", "*-flash(*"],
  provider: "qwen",
  probe: acpProbe({
    name: "Qwen Code",
    install,
    dialect,
    depth: "session",
    opensForUsersOnly: true,
    fallback: {
      argument: "--acp",
      channel: streamJson.name,
      means: "its print mode: no approvals, one process per turn",
    },
  }),
});
