import { acp } from "../acp/acp.ts";
import type { Dialect } from "../acp/dialect.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";

const install = "npm install -g @jetbrains/junie";

/** Junie, based on its entry in the public ACP registry. */
const dialect: Dialect = {
  agent: "junie",
  version: 1,
  args: ["--acp=true"],
  rungs: {},
  login: "junie",
};

/**
 * JetBrains' Junie over ACP. Its package downloads the program from another host, so no version was tested and no mode is
 * known to hold: it runs as configured.
 */
export const junie = defineAgent({
  id: "junie",
  name: "Junie",
  find: { bin: ["junie"], env: "GANTRY_JUNIE_BIN" },
  install: { npm: "@jetbrains/junie", command: install },
  login: ["junie"],
  channels: [acp(dialect)],
  modes: { inherit: "as configured in the agent" },
  projectCode: { paths: [".junie", ".mcp.json"], text: [".junie/guidelines.md", ".junie/AGENTS.md"] },
  steer: "queue",
  resume: "load",
  fork: false,
  edits: false,
  fallbackModels: [],
  provider: "jetbrains",
  probe: acpProbe({ name: "Junie", install, dialect, depth: "greeting" }),
});
