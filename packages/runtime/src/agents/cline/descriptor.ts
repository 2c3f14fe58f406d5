import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { knownSince } from "../finding/fallback.ts";
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
  channelOf: knownSince("3.0.65", "acp"),
  modes: {
    inherit: "as its own configuration says",
  },
  steer: "queue",
  resume: "load",
  fork: false,
  edits: false,
  fallbackModels: [],
  provider: "cline",
  probe: acpProbe({
    name: "Cline",
    install,
    dialect,
    depth: "greeting",
    opensForUsersOnly: true,
    fallback: { argument: "--acp", channel: json.name, means: "its print stream: no approvals, one process a turn" },
  }),
});
