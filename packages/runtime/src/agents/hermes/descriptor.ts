import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { dialect } from "./dialect.ts";

const install = "see https://github.com/NousResearch/hermes-agent for installers";

/** Nous Research's Hermes agent over ACP. */
export const hermes = defineAgent({
  id: "hermes",
  name: "Hermes",
  find: { bin: ["hermes"], env: "GANTRY_HERMES_BIN" },
  install: { command: install },
  login: ["hermes", "setup"],
  channels: [acp(dialect)],
  modes: {
    inherit: "as its own configuration says",
  },
  steer: "queue",
  resume: "load",
  fork: false,
  edits: false,
  fallbackModels: [],
  provider: "hermes",
  probe: acpProbe({
    name: "Hermes",
    install,
    dialect,
    depth: "greeting",
  }),
});
