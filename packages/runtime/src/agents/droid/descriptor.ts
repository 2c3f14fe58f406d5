import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { dialect } from "./dialect.ts";
import { exec } from "./exec/channel.ts";
import { streamJsonRpc } from "./exec/rpc/channel.ts";

const install = "npm install -g droid";

/** Factory's Droid over ACP. */
export const droid = defineAgent({
  id: "droid",
  name: "Droid",
  find: { bin: ["droid"], env: "GANTRY_DROID_BIN" },
  install: { npm: "droid", command: install },
  login: ["droid"],
  channels: [acp(dialect), streamJsonRpc, exec],
  channelOf: () => "acp",
  modes: {
    plan: "writes a specification, changes nothing",
    ask: "asks before everything that is not reading",
    "auto-edit": "edits and low-risk commands without asking",
    "full-auto": "never asks",
    inherit: "as its own configuration says",
  },
  steer: "queue",
  resume: "id",
  fork: false,
  edits: false,
  fallbackModels: [],
  provider: "factory",
  probe: acpProbe({
    name: "Droid",
    install,
    dialect,
    depth: "session",
    opensForUsersOnly: true,
  }),
});
