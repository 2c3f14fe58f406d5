import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { knownSince } from "../probing/fallback.ts";
import { dialect } from "./dialect.ts";
import { history } from "./history/history.ts";
import { streamJson } from "./stream-json/channel.ts";

const install = "npm install -g @google/gemini-cli";

/** Google's Gemini CLI over ACP. */
export const gemini = defineAgent({
  id: "gemini",
  name: "Gemini CLI",
  find: { bin: ["gemini"], env: "GANTRY_GEMINI_BIN" },
  versions: { oldest: "0.41", newest: "0.61.0" },
  install: { npm: "@google/gemini-cli", command: install },
  login: ["gemini"],
  env: dialect.env,
  channels: [acp(dialect), streamJson],
  channelOf: knownSince("0.41.0", "acp"),
  modes: {
    plan: "reads and plans, changes nothing",
    ask: "asks before every edit and command",
    "auto-edit": "edits freely and asks before commands",
    "full-auto": "never asks",
    inherit: "as configured in the agent",
  },
  answeredModes: ["full-auto"],
  projectCode: { paths: [".gemini"], text: [".gemini/GEMINI.md"], memory: ["GEMINI.md", ".gemini/GEMINI.md"] },
  tasks: "stop",
  commandFiles: {
    root: { path: ".gemini" },
    folders: [
      { kind: "command", user: "commands", project: ".gemini/commands", extension: ".toml" },
      { kind: "skill", user: "skills", project: ".gemini/skills" },
    ],
  },
  steer: "queue",
  resume: "load",
  fork: false,
  edits: false,
  can: ["images", "commands"],
  fallbackModels: [],
  smallModels: ["*-flash-lite", "*-flash-lite-*", "*-flash", "*-flash-*"],
  provider: "google",
  history,
  probe: acpProbe({
    name: "Gemini CLI",
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
