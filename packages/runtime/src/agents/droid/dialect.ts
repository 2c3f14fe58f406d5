import type { Dialect } from "../acp/dialect.ts";

/**
 * Droid: one conversation per process, because two would receive each other's updates. Failures are reported twice, as
 * text and as an error.
 */
export const dialect: Dialect = {
  agent: "droid",
  version: 1,
  args: ["exec", "--output-format", "acp"],
  env: { FACTORY_DROID_AUTO_UPDATE_ENABLED: "false" },
  rungs: {
    plan: { mode: "spec" },
    ask: { mode: "normal" },
    "auto-edit": { mode: "auto-low" },
    "full-auto": { mode: "auto-high" },
  },
  setsModel: true,
  toolName: { in: "title", pattern: /^(Create|Read|Edit|Grep|Glob|LS|TodoWrite|FetchUrl|WebSearch)\b/ },
  login: "droid",
};
