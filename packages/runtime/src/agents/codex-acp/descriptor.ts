import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { dialect } from "./dialect.ts";

const RULES =
  "The adapter follows Codex's own rules files: commands that they allow run without asking and outside of the sandbox.";
const install = "npm install -g @agentclientprotocol/codex-acp";

/** Codex through its ACP adapter. */
export const codexAcp = defineAgent({
  id: "codex-acp",
  name: "Codex (ACP adapter)",
  find: { bin: ["codex-acp"], env: "GANTRY_CODEX_ACP_BIN" },
  install: { npm: "@agentclientprotocol/codex-acp", command: install },
  login: ["codex", "login"],
  channels: [acp(dialect)],
  modes: {
    plan: "plans in a read-only sandbox",
    ask: "asks before edits and before using the network",
    "auto-edit": "edits inside the folder freely",
    "full-auto": "never asks and has no sandbox",
    inherit: "as configured in the agent",
  },
  unenforced: { plan: RULES, ask: RULES, "auto-edit": RULES },
  projectCode: { paths: [".codex"], text: [".codex/AGENTS.md"] },
  steer: "queue",
  resume: "id",
  fork: true,
  edits: false,
  can: ["images", "commands"],
  fallbackModels: [],
  provider: "openai",
  probe: acpProbe({
    name: "Codex (ACP adapter)",
    install,
    dialect,
    version: ["--version"],
    depth: "greeting",
  }),
});
