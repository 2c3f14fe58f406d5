import { join } from "node:path";
import { defineAgent } from "../contract.ts";
import { piHistory } from "../json-lines/pi-history.ts";
import { piProbe } from "../json-lines/pi-rpc/probe.ts";
import { knownSince, SMALL_MODELS } from "../probing/fallback.ts";
import { json, rpc } from "./channels.ts";

/** Pi's conversations: `~/.pi/agent/sessions/<folder>/<time>_<id>.jsonl`. */
const history = piHistory(({ env, home }) => {
  const own = env.PI_CODING_AGENT_SESSION_DIR;
  return [own || join(env.PI_CODING_AGENT_DIR || join(home, ".pi", "agent"), "sessions")];
});

const install = "npm install -g @earendil-works/pi-coding-agent";

/** Pi, driven through its RPC mode. */
export const pi = defineAgent({
  id: "pi",
  name: "Pi",
  find: { bin: ["pi"], env: "GANTRY_PI_BIN" },
  versions: { oldest: "0.75", newest: "1.5.0" },
  install: { npm: "@earendil-works/pi-coding-agent", command: install },
  login: ["pi", "/login"],
  channels: [rpc, json],
  channelOf: knownSince("0.73.1", rpc.name),
  modes: {
    plan: "has only the tools that read",
    ask: "asks before everything but reading, through an extension that Gantry gives it",
    "auto-edit": "writes freely in its folder and asks before commands",
    "full-auto": "has all its tools and asks nothing but what its extensions ask",
    inherit: "as configured in the agent",
  },
  projectCode: { paths: [".pi", ".agents/skills"], text: [".pi/SYSTEM.md", ".pi/APPEND_SYSTEM.md"] },
  commandFiles: {
    root: { variable: "PI_CODING_AGENT_DIR", path: ".pi/agent" },
    folders: [
      { kind: "command", user: "prompts", project: ".pi/prompts" },
      { kind: "skill", user: "skills", project: ".pi/skills", prefix: "skill:" },
    ],
  },
  steer: "inline",
  resume: "id",
  fork: true,
  edits: true,
  can: ["images", "compaction", "commands"],
  fallbackModels: [],
  smallModels: SMALL_MODELS,
  provider: "pi",
  providerInModel: true,
  history,
  probe: piProbe({
    name: "Pi",
    install,
    login: "Run `pi` and use /login, set a provider's API key, or name a provider in ~/.pi/agent/models.json.",
  }),
});
