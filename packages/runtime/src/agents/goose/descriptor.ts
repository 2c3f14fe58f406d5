import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { dialect } from "./dialect.ts";

const install = "see https://block.github.io/goose for installers";

/** Goose over ACP. */
export const goose = defineAgent({
  id: "goose",
  name: "Goose",
  find: { bin: ["goose"], env: "GANTRY_GOOSE_BIN" },
  install: { command: install },
  login: ["goose", "configure"],
  channels: [acp(dialect)],
  modes: {
    ask: "asks before every tool",
    "full-auto": "never asks",
    inherit: "as its own configuration says",
  },
  steer: "queue",
  resume: "load",
  fork: false,
  edits: false,
  fallbackModels: [],
  provider: "goose",
  probe: acpProbe({
    name: "Goose",
    install,
    dialect,
    depth: "greeting",
  }),
});
