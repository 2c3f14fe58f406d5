import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { knownSince } from "../probing/fallback.ts";
import { dialect } from "./dialect.ts";
import { streamJson } from "./stream-json/channel.ts";

const install = "npm install -g @moonshot-ai/kimi-code";

/** Moonshot's Kimi Code over ACP. */
export const kimi = defineAgent({
  id: "kimi",
  name: "Kimi Code",
  find: { bin: ["kimi"], env: "GANTRY_KIMI_BIN" },
  versions: { oldest: "0.43", newest: "2.1.0" },
  install: { npm: "@moonshot-ai/kimi-code", command: install },
  login: ["kimi", "login"],
  env: dialect.env,
  channels: [acp(dialect), streamJson],
  channelOf: knownSince("0.43.0", "acp"),
  modes: {
    plan: "reads and plans, changes nothing",
    ask: "asks before commands, and before edits outside of a git work tree",
    "full-auto": "never asks",
    inherit: "as configured in the agent",
  },
  unenforced: {
    ask: "Kimi edits files in a git work tree without asking, and does not ask for what its own configuration allows.",
  },
  projectCode: { paths: [".kimi-code", ".kimi", ".mcp.json"], text: [".kimi-code/AGENTS.md"] },
  tasks: "stop",
  steer: "queue",
  resume: "id",
  fork: true,
  edits: false,
  can: ["images", "questions", "compaction", "commands"],
  fallbackModels: [],
  provider: "moonshot",
  probe: acpProbe({
    name: "Kimi Code",
    install,
    dialect,
    depth: "session",
    opensForUsersOnly: true,
    fallback: {
      argument: "acp",
      none: "its print mode accepts prompts only as arguments, which other users can read",
    },
  }),
});
