import { acp } from "../acp/acp.ts";
import { defineAgent } from "../contract.ts";
import { knownSince } from "../probing/fallback.ts";
import { droidControls } from "./controls.ts";
import { dialect } from "./dialect.ts";
import { exec } from "./exec/channel.ts";
import { streamJsonRpc } from "./exec/rpc/channel.ts";
import { INSTALL, probe } from "./probe.ts";

const ALLOW_LIST = "Droid runs the commands on the allow list in its settings without asking, in every mode.";

/**
 * Factory's Droid over its JSON-RPC, the interface of Factory's SDK. Its ACP is more limited: no streaming, no usage
 * and retry reports, no questions, no forks, a second prompt leaves the first turn open, and a login is required. ACP
 * is used for recordings and to read the login state.
 */
export const droid = defineAgent({
  id: "droid",
  name: "Droid",
  find: { bin: ["droid"], env: "GANTRY_DROID_BIN" },
  versions: { oldest: "0.225.2", newest: "0.225.2" },
  install: { npm: "droid", command: INSTALL },
  login: ["droid"],
  env: dialect.env,
  channels: [streamJsonRpc, exec, acp(dialect)],
  channelOf: knownSince("0.225.2", streamJsonRpc.name),
  modes: {
    plan: "writes a specification, changes nothing",
    ask: "asks before everything that is not reading",
    "auto-edit": "edits and low-risk commands without asking",
    "full-auto": "never asks",
    inherit: "as configured in the agent",
  },
  controls: droidControls,
  unenforced: { plan: ALLOW_LIST, ask: ALLOW_LIST },
  projectCode: {
    paths: [".factory", ".mcp.json"],
    text: [".factory/docs", ".factory/artifacts", ".factory/AGENTS.md"],
  },
  tasks: "stop",
  commandFiles: {
    root: { path: ".factory" },
    folders: [
      { kind: "command", user: "commands", project: ".factory/commands" },
      { kind: "skill", user: "skills", project: ".factory/skills" },
    ],
  },
  steer: "inline",
  resume: "id",
  fork: true,
  edits: false,
  can: ["images", "questions", "compaction"],
  fallbackModels: [],
  provider: "factory",
  probe,
});
