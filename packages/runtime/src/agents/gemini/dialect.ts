import type { Dialect } from "../acp/dialect.ts";

/** Gemini CLI: modes and models by requests of their own, no names of tools but in their ids, HTTP codes as errors. */
export const dialect: Dialect = {
  agent: "gemini",
  version: 1,
  args: ["--acp"],
  // Without it the program starts itself a second time, and the first swallows signals.
  env: { GEMINI_CLI_NO_RELAUNCH: "true" },
  rungs: {
    plan: { mode: "plan" },
    ask: { mode: "default" },
    "auto-edit": { mode: "autoEdit" },
    "full-auto": { mode: "yolo" },
  },
  toolName: { in: "id", pattern: /^([a-z][a-z_]*?)(?:__|-)/ },
  commandInTitle: true,
  asides: [{ pattern: /^\[MODE_UPDATE\] (\S+)\s*$/, as: "mode" }],
  login: "gemini",
};
