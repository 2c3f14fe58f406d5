import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { dialect } from "./dialect.ts";
import { json } from "./json/channel.ts";

const install = "npm install -g @github/copilot";

/** GitHub Copilot CLI over ACP. */
export const copilot = defineAgent({
  id: "copilot",
  name: "GitHub Copilot CLI",
  find: { bin: ["copilot"], env: "GANTRY_COPILOT_BIN" },
  install: { npm: "@github/copilot", command: install },
  login: ["copilot", "login"],
  channels: [acp(dialect), json],
  channelOf: () => "acp",
  modes: {
    plan: "plans before it changes anything",
    ask: "asks before every edit and command",
    "full-auto": "never asks",
    inherit: "as its own configuration says",
  },
  steer: "queue",
  resume: "load",
  fork: false,
  edits: false,
  fallbackModels: [],
  provider: "github",
  probe: acpProbe({
    name: "GitHub Copilot CLI",
    install,
    dialect,
    depth: "session",
    opensForUsersOnly: true,
  }),
});
