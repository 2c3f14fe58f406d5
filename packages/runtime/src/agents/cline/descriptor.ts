import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { dialect } from "./dialect.ts";
import { json } from "./json/channel.ts";

const install = "npm install -g cline";

/** Cline over ACP. */
export const cline = defineAgent({
  id: "cline",
  name: "Cline",
  find: { bin: ["cline"], env: "GANTRY_CLINE_BIN" },
  versions: { oldest: "3.0.65", newest: "3.0.65" },
  install: { npm: "cline", command: install },
  login: ["cline", "auth"],
  channels: [acp(dialect), json],
  // The print stream is only for recordings: the program accepts the prompt only as an argument.
  channelOf: () => "acp",
  modes: {
    ask: "asks before every tool call",
    "full-auto": "never asks",
    inherit: "as configured in the agent",
  },
  projectCode: { paths: [".cline", ".clinerules/hooks", ".clinerules/workflows"] },
  steer: "queue",
  resume: "load",
  fork: false,
  edits: false,
  fallbackModels: [],
  provider: "cline",
  probe: acpProbe({ name: "Cline", install, dialect, depth: "session", opensForUsersOnly: true }),
});
