import type { Dialect } from "../acp/dialect.ts";

/** Kimi Code: the input of a tool is streamed as its content, and a turn whose requests all failed ends well. */
export const dialect: Dialect = {
  agent: "kimi",
  version: 1,
  args: ["acp"],
  env: { KIMI_CODE_NO_AUTO_UPDATE: "1" },
  rungs: {
    plan: { mode: "plan" },
    ask: { mode: "default" },
    "full-auto": { mode: "yolo" },
  },
  toolName: { in: "title", pattern: /^([A-Za-z_][\w-]*)$/ },
  inputInContent: true,
  asides: [{ pattern: /^Compact(ing conversation|ion (is blocked|completed|failed))/, as: "compacting" }],
  compact: "compact",
  login: "kimi login",
};
