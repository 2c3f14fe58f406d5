import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { knownSince } from "../probing/fallback.ts";
import { dialect } from "./dialect.ts";
import { json } from "./json/channel.ts";

const install = "npm install -g @github/copilot";

/** GitHub Copilot CLI over ACP. */
export const copilot = defineAgent({
  id: "copilot",
  name: "GitHub Copilot CLI",
  find: { bin: ["copilot"], env: "GANTRY_COPILOT_BIN" },
  versions: { oldest: "1.0.85", newest: "1.0.102" },
  install: { npm: "@github/copilot", command: install },
  login: ["copilot", "login"],
  env: dialect.env,
  channels: [acp(dialect), json],
  channelOf: knownSince("1.0.85", "acp"),
  modes: {
    plan: "plans before it changes anything",
    ask: "asks before every edit and command",
    "full-auto": "never asks",
    inherit: "as configured in the agent",
  },
  unenforced: { ask: "Copilot does not ask for tools that were approved permanently for the folder." },
  projectCode: {
    paths: [
      ".github/copilot",
      ".github/hooks",
      ".github/extensions",
      ".github/lsp.json",
      ".github/mcp.json",
      ".copilot",
      ".mcp.json",
    ],
    text: [".github/copilot/copilot-instructions.md"],
  },
  steer: "queue",
  resume: "load",
  fork: false,
  edits: false,
  can: ["images", "compaction", "commands"],
  fallbackModels: [],
  smallModels: ["gpt-*-mini", "*haiku*"],
  provider: "github",
  probe: acpProbe({
    name: "GitHub Copilot CLI",
    install,
    dialect,
    depth: "session",
    opensForUsersOnly: true,
    fallback: { argument: "--acp", channel: json.name, means: "its print mode: no approvals, one process per turn" },
  }),
});
