import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { dialect } from "./dialect.ts";

const install = "npm install -g @nanocollective/nanocoder";

/** Nanocoder over ACP. */
export const nanocoder = defineAgent({
  id: "nanocoder",
  name: "Nanocoder",
  find: { bin: ["nanocoder"], env: "GANTRY_NANOCODER_BIN" },
  versions: { oldest: "1.30.0", newest: "1.30.0" },
  install: { npm: "@nanocollective/nanocoder", command: install },
  // Its providers and keys are in its configuration; it has no login.
  login: [],
  channels: [acp(dialect)],
  modes: {
    plan: "reads and plans; has no tools that edit or run commands",
    ask: "asks before every edit and command",
    "auto-edit": "edits freely and asks before commands",
    "full-auto": "never asks",
    inherit: "as configured in the agent",
  },
  unenforced: {
    ask: "Nanocoder does not ask for tools on the list alwaysAllow of its configuration.",
    "auto-edit": "Nanocoder does not ask for tools on the list alwaysAllow of its configuration.",
  },
  // It writes its list of tasks there and reads it as data.
  projectCode: { paths: [".nanocoder", ".mcp.json", "agents.config.json"], text: [".nanocoder/tasks.json"] },
  steer: "queue",
  resume: "id",
  fork: false,
  edits: false,
  can: ["questions"],
  withoutFolders: "Nanocoder has no option for further folders.",
  fallbackModels: [],
  provider: "nanocoder",
  // It stores every opened conversation.
  probe: acpProbe({ name: "Nanocoder", install, dialect, depth: "greeting" }),
});
