import type { Dialect } from "../acp/dialect.ts";

/** The ACP adapter for Claude: both versions, cost and usage reported per turn. */
export const dialect: Dialect = {
  agent: "claude-agent-acp",
  version: 2,
  args: [],
  rungs: {
    plan: { mode: "plan" },
    ask: { mode: "default" },
    "auto-edit": { mode: "acceptEdits" },
    "full-auto": { mode: "bypassPermissions" },
  },
  failureText: /^API Error: /,
  compact: "compact",
  login: "claude auth login",
};
