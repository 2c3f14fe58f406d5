import type { Dialect } from "../acp/dialect.ts";

/** The ACP adapter for Codex: both versions; warnings and retries arrive as session info. */
export const dialect: Dialect = {
  agent: "codex-acp",
  version: 2,
  args: [],
  rungs: {
    plan: { mode: "read-only", options: { collaboration_mode: "plan" } },
    ask: { mode: "read-only", options: { collaboration_mode: "default" } },
    "auto-edit": { mode: "workspace-write", options: { collaboration_mode: "default" } },
    "full-auto": { mode: "agent-full-access", options: { collaboration_mode: "default" } },
  },
  asides: [{ pattern: /^Warning: /, as: "notice", unnamed: true }],
  compact: "compact",
  login: "codex login",
};
