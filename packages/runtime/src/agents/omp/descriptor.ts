import { acp } from "../acp/acp.ts";
import { defineAgent } from "../contract.ts";
import { piProbe } from "../json-lines/pi-rpc/probe.ts";
import { knownSince, SMALL_MODELS } from "../probing/fallback.ts";
import { dialect } from "./dialect.ts";
import { json, rpc } from "./rpc/channels.ts";

const install = "npm install -g @oh-my-pi/pi-coding-agent";

/** oh-my-pi in RPC mode: over ACP it supports neither steering nor mode changes, and hides retries. */
export const omp = defineAgent({
  id: "omp",
  name: "oh-my-pi",
  find: { bin: ["omp"], env: "GANTRY_OMP_BIN" },
  versions: { oldest: "18.2.3", newest: "18.2.3" },
  install: { npm: "@oh-my-pi/pi-coding-agent", command: install },
  login: ["omp"],
  channels: [rpc, acp(dialect), json],
  channelOf: knownSince("18.2.3", rpc.name),
  modes: {
    plan: "has only the tools that read",
    ask: "asks before everything but reading, through an extension that Gantry gives it",
    "auto-edit": "writes freely in its folder and asks before commands",
    "full-auto": "has all its tools and asks nothing but what its extensions ask",
    inherit: "as configured in the agent",
  },
  projectCode: {
    paths: [
      ".omp",
      ".pi",
      ".claude",
      ".codex",
      ".gemini",
      ".mcp.json",
      "mcp.json",
      ".vscode/mcp.json",
      ".cursor/mcp.json",
    ],
    text: [".omp/SYSTEM.md", ".claude/CLAUDE.md", ".claude/rules", ".claude/worktrees"],
  },
  steer: "inline",
  resume: "id",
  fork: true,
  edits: true,
  can: ["images", "compaction", "commands"],
  fallbackModels: [],
  smallModels: SMALL_MODELS,
  provider: "omp",
  providerInModel: true,
  probe: piProbe({
    name: "oh-my-pi",
    install,
    login: "Run `omp` and use /login, set a provider's API key, or name a provider in ~/.omp/agent/models.yml.",
    timeoutMs: 30_000,
  }),
});
