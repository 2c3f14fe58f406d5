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
  install: { npm: "cline", command: install },
  login: ["cline", "auth"],
  channels: [acp(dialect), json],
  // Its print stream is understood in recordings and never started: the program takes the prompt as an argument alone.
  channelOf: () => "acp",
  modes: {
    ask: "asks before every tool call",
    "full-auto": "never asks",
    inherit: "as its own configuration says",
  },
  steer: "queue",
  resume: "load",
  fork: false,
  edits: false,
  fallbackModels: [],
  provider: "cline",
  probe: acpProbe({ name: "Cline", install, dialect, depth: "session", opensForUsersOnly: true }),
});
