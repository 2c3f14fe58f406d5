import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { packageFiles, WITHOUT_INSTALLATION } from "../kit/mode-agents.ts";
import { smallModelSetting } from "../probing/configured-model.ts";
import { SMALL_MODELS } from "../probing/fallback.ts";
import { dialect } from "./dialect.ts";

const install = "npm install -g @kilocode/cli";

/** Kilo over ACP. */
export const kilo = defineAgent({
  id: "kilo",
  name: "Kilo",
  find: { bin: ["kilo"], env: "GANTRY_KILO_BIN" },
  versions: { oldest: "7.7", newest: "7.7.9" },
  install: { npm: "@kilocode/cli", command: install },
  login: ["kilo", "auth", "login"],
  probeEnv: WITHOUT_INSTALLATION,
  channels: [acp(dialect)],
  modes: {
    plan: "reads and plans; has no tools that edit or run commands",
    ask: "asks before every edit and command",
    "auto-edit": "edits freely and asks before commands",
    "full-auto": "never asks",
    inherit: "as configured in the agent",
  },
  projectCode: {
    paths: [".kilo", ".kilocode", ".opencode", "kilo.json", "kilo.jsonc", "opencode.json", "opencode.jsonc"],
    text: [".kilocode/rules", ".kilo/rules"],
    generated: [".kilo", ".kilocode", ".opencode"].flatMap(packageFiles),
  },
  idleSeconds: 180,
  commandFiles: {
    root: { path: ".config/kilo" },
    folders: [
      { kind: "command", user: "command", project: ".kilo/command", separator: "/" },
      { kind: "command", user: "commands", project: ".kilo/commands", separator: "/" },
      { kind: "skill", user: "skills", project: ".kilo/skills" },
    ],
  },
  steer: "queue",
  resume: "id",
  fork: true,
  edits: false,
  can: ["images", "compaction", "commands"],
  fallbackModels: [],
  smallModels: SMALL_MODELS,
  smallModelSetting: smallModelSetting({
    folder: "kilo",
    files: ["config.json", "kilo.json", "kilo.jsonc", "opencode.json", "opencode.jsonc"],
    prefix: "KILO",
  }),
  provider: "kilo",
  providerInModel: true,
  // It stores every opened conversation.
  probe: acpProbe({ name: "Kilo", install, dialect, depth: "greeting", models: ["models"] }),
});
