import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { knownSince } from "../finding/fallback.ts";
import { dialect } from "./dialect.ts";
import { json, rpc } from "./rpc/channels.ts";

const install = "npm install -g @oh-my-pi/pi-coding-agent";

/** oh-my-pi over ACP. */
export const omp = defineAgent({
  id: "omp",
  name: "oh-my-pi",
  find: { bin: ["omp"], env: "GANTRY_OMP_BIN" },
  install: { npm: "@oh-my-pi/pi-coding-agent", command: install },
  login: ["omp"],
  channels: [acp(dialect), rpc, json],
  channelOf: knownSince("18.2.3", "acp"),
  modes: {
    plan: "drafts a plan, changes nothing",
    ask: "asks before everything that changes something",
    "auto-edit": "writes freely and asks before commands",
    "full-auto": "never asks",
    inherit: "as its own configuration says",
  },
  steer: "queue",
  resume: "id",
  fork: true,
  edits: false,
  fallbackModels: [],
  provider: "omp",
  probe: acpProbe({
    name: "oh-my-pi",
    install,
    dialect,
    depth: "session",
    fallback: { argument: "acp", channel: rpc.name, means: "its RPC mode" },
  }),
});
