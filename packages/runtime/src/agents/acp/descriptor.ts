import { defineAgent } from "../contract.ts";
import { acp as channel } from "./acp.ts";
import type { Dialect } from "./dialect.ts";
import { acpProbe } from "./probe.ts";

/** The protocol as it is written; of the agents' own ways only that some send what tells a session nothing. */
export const plainDialect: Dialect = {
  agent: "acp",
  version: 2,
  args: [],
  rungs: {},
  quiet: ["craft/drainMidTurnQueue", "qwen/notify/session/prompt-suggestion"],
  login: "the agent's own login command",
};

/**
 * Any agent that speaks ACP. It has no program of its own: local profiles give it one, and recordings need none.
 */
export const acp = defineAgent({
  id: "acp",
  name: "Any ACP agent",
  find: { bin: [], env: "GANTRY_ACP_BIN" },
  install: { command: "write a profile that says how to start it", byHand: true },
  login: [],
  channels: [channel(plainDialect)],
  modes: { inherit: "as its own configuration says" },
  steer: "queue",
  resume: "load",
  fork: false,
  edits: false,
  fallbackModels: [],
  provider: "acp",
  probe: acpProbe({
    name: "The agent",
    install: "see where its program comes from",
    dialect: plainDialect,
    version: "greeting",
    depth: "greeting",
  }),
});
