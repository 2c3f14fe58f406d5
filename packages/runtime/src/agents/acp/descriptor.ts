import { defineAgent } from "../contract.ts";
import { acp as channel } from "./acp.ts";
import type { Dialect } from "./dialect.ts";
import { acpProbe } from "./probe.ts";

/** The standard protocol, plus known vendor notifications that carry no session data. */
export const standardDialect: Dialect = {
  agent: "acp",
  version: 2,
  args: [],
  rungs: {},
  quiet: ["craft/drainMidTurnQueue", "qwen/notify/session/prompt-suggestion"],
  ignoresExtensions: true,
};

/** The base for any ACP agent. It has no program: a local profile supplies one, and recordings need none. */
export const acp = defineAgent({
  id: "acp",
  name: "Any ACP agent",
  find: { bin: [], env: "GANTRY_ACP_BIN" },
  install: { command: "write a profile with the command that starts it", byHand: true },
  login: [],
  channels: [channel(standardDialect)],
  modes: { inherit: "as configured in the agent" },
  steer: "queue",
  resume: "load",
  fork: false,
  edits: false,
  fallbackModels: [],
  provider: "acp",
  probe: acpProbe({
    name: "The agent",
    install: "reinstall the program from its source",
    dialect: standardDialect,
    version: "greeting",
    depth: "greeting",
  }),
});
