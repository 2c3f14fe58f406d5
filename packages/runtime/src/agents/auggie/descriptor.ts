import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { dialect } from "./dialect.ts";

const install = "npm install -g @augmentcode/auggie";

/** Augment's Auggie over ACP. */
export const auggie = defineAgent({
  id: "auggie",
  name: "Auggie",
  find: { bin: ["auggie"], env: "GANTRY_AUGGIE_BIN" },
  versions: { oldest: "0.36.0", newest: "0.36.0" },
  install: { npm: "@augmentcode/auggie", command: install },
  login: ["auggie", "login"],
  channels: [acp(dialect)],
  modes: {
    plan: "without its tools that could change anything",
    ask: "asks before every edit and command",
    "auto-edit": "edits freely and asks before commands",
    "full-auto": "asks only where its settings require it",
    inherit: "as configured in the agent",
  },
  answeredModes: ["auto-edit", "full-auto"],
  projectCode: { paths: [".augment", ".mcp.json"], text: [".augment/rules", ".augment/plans"] },
  steer: "queue",
  resume: "load",
  fork: false,
  edits: false,
  can: ["images"],
  fallbackModels: [],
  provider: "augment",
  probe: acpProbe({
    name: "Auggie",
    install,
    dialect,
    depth: "session",
    opensForUsersOnly: true,
  }),
});
