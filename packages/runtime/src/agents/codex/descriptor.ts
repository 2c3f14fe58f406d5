import { defineAgent } from "../contract.ts";
import { knownSince } from "../probing/fallback.ts";
import { appServer } from "./app-server/channel.ts";
import { codexControls } from "./controls.ts";
import { exec } from "./exec/channel.ts";
import { history } from "./history/history.ts";
import { modeDescriptions } from "./modes.ts";
import { probe } from "./probe.ts";

const RULES =
  "Codex runs commands that its own rules files allow without asking and outside of its sandbox, and its app-server has no way to ignore them.";

/** OpenAI's Codex, driven through its app-server. */
export const codex = defineAgent({
  id: "codex",
  name: "Codex",
  find: { bin: ["codex"], env: "GANTRY_CODEX_BIN" },
  versions: { oldest: "0.130", newest: "0.169.0" },
  install: { npm: "@openai/codex", command: "npm install -g @openai/codex" },
  login: ["codex", "login"],
  channels: [appServer, exec],
  modes: modeDescriptions,
  controls: codexControls,
  unenforced: { plan: RULES, ask: RULES, "auto-edit": RULES },
  projectCode: { paths: [".codex"], text: [".codex/AGENTS.md"], memory: ["AGENTS.md"] },
  commandFiles: {
    root: { variable: "CODEX_HOME", path: ".codex" },
    folders: [
      { kind: "command", user: "prompts", prefix: "prompts:" },
      { kind: "skill", user: "skills", project: ".codex/skills" },
    ],
  },
  steer: "inline",
  resume: "id",
  fork: true,
  edits: false,
  can: ["images", "questions", "compaction"],
  tasks: "stop",
  channelOf: knownSince("0.100.0", appServer.name),
  fallbackModels: [],
  smallModels: ["*-luna", "*-mini", "*-nano"],
  provider: "openai",
  history,
  probe,
});
