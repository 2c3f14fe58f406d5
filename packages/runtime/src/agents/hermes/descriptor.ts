import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { dialect } from "./dialect.ts";

const install = "curl -fsSL https://raw.githubusercontent.com/NousResearch/hermes-agent/main/scripts/install.sh | bash";

/** Nous Research's Hermes agent over ACP. */
export const hermes = defineAgent({
  id: "hermes",
  name: "Hermes",
  find: { bin: ["hermes"], env: "GANTRY_HERMES_BIN" },
  versions: { oldest: "0.21.5", newest: "0.21.5" },
  install: { command: install, byHand: true },
  login: ["hermes", "setup"],
  channels: [acp(dialect)],
  modes: {
    ask: "asks before edits and dangerous commands",
    "auto-edit": "edits files of the project; asks before dangerous commands",
    "full-auto": "never asks, but about secrets and keys",
    inherit: "as configured in the agent",
  },
  unenforced: {
    ask: "Hermes asks only before edits and before commands that it considers dangerous, and its own configuration can turn that off.",
    "auto-edit":
      "Hermes asks only before commands that it considers dangerous, and its own configuration can turn that off.",
  },
  projectCode: { paths: [".hermes"], text: [".hermes/plans"] },
  steer: "queue",
  resume: "load",
  fork: true,
  edits: false,
  can: ["images", "commands"],
  fallbackModels: [],
  provider: "hermes",
  probe: acpProbe({
    name: "Hermes",
    install,
    dialect,
    depth: "greeting",
  }),
});
