import { acp } from "../acp/acp.ts";
import { defineAgent } from "../contract.ts";
import { packageFiles, WITHOUT_INSTALLATION } from "../kit/mode-agents.ts";
import { smallModelSetting } from "../probing/configured-model.ts";
import { knownSince, SMALL_MODELS } from "../probing/fallback.ts";
import { opencodeControls } from "./controls.ts";
import { dialect } from "./dialect.ts";
import { history } from "./history/history.ts";
import { install, probe } from "./probe.ts";
import { run } from "./run/channel.ts";
import { serve } from "./serve/channel.ts";

/** OpenCode over ACP. */
export const opencode = defineAgent({
  id: "opencode",
  name: "OpenCode",
  find: { bin: ["opencode"], env: "GANTRY_OPENCODE_BIN" },
  versions: { oldest: "1.3", newest: "1.18.33" },
  install: { npm: "opencode-ai", command: install },
  login: ["opencode", "auth", "login"],
  probeEnv: WITHOUT_INSTALLATION,
  channels: [acp(dialect), run, serve],
  channelOf: knownSince("1.3.0", "acp"),
  modes: {
    plan: "reads and plans; has no tools that edit or run commands",
    ask: "asks before every edit and command",
    "auto-edit": "edits freely and asks before commands",
    "full-auto": "never asks",
    inherit: "as configured in the agent",
  },
  controls: opencodeControls,
  projectCode: {
    paths: [".opencode", "opencode.json", "opencode.jsonc"],
    generated: packageFiles(".opencode"),
  },
  idleSeconds: 180,
  commandFiles: {
    root: { path: ".config/opencode" },
    folders: [
      { kind: "command", user: "command", project: ".opencode/command", separator: "/" },
      { kind: "command", user: "commands", project: ".opencode/commands", separator: "/" },
      { kind: "skill", user: "skills", project: ".opencode/skills" },
    ],
  },
  steer: "queue",
  resume: "id",
  fork: true,
  edits: false,
  can: ["images", "compaction", "commands"],
  fallbackModels: [],
  smallModels: SMALL_MODELS,
  smallModelSetting: smallModelSetting({
    folder: "opencode",
    files: ["config.json", "opencode.json", "opencode.jsonc"],
    prefix: "OPENCODE",
  }),
  provider: "opencode",
  providerInModel: true,
  history,
  probe,
});
