import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { dialect } from "./dialect.ts";

const install = "curl -fsSL https://github.com/aaif-goose/goose/releases/download/stable/download_cli.sh | bash";

/** Goose over ACP. */
export const goose = defineAgent({
  id: "goose",
  name: "Goose",
  find: { bin: ["goose"], env: "GANTRY_GOOSE_BIN" },
  versions: { oldest: "1.38.0", newest: "1.38.0" },
  install: { command: install, byHand: true },
  login: ["goose", "configure"],
  channels: [acp(dialect)],
  modes: {
    ask: "asks before every tool",
    "full-auto": "never asks",
    inherit: "as configured in the agent",
  },
  unenforced: {
    ask: "Goose does not ask for tools that its own permission settings always allow.",
  },
  projectCode: { paths: [".goose"] },
  steer: "queue",
  resume: "load",
  fork: false,
  edits: false,
  can: ["images", "commands"],
  fallbackModels: [],
  provider: "goose",
  probe: acpProbe({
    name: "Goose",
    install,
    dialect,
    depth: "greeting",
  }),
});
