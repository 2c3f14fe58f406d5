import type { Dialect } from "../acp/dialect.ts";
import { agentOf, kitParts } from "./agents.ts";

/** OpenCode: modes are agents of its own, and what they may do is part of them. */
export const dialect: Dialect = {
  agent: "opencode",
  version: 1,
  args: ["acp"],
  takes: { instructions: true, servers: ["stdio", "http", "sse"], skills: true },
  given: kitParts,
  rungs: {
    plan: { mode: agentOf("plan") },
    ask: { mode: agentOf("ask") },
    "auto-edit": { mode: agentOf("auto-edit") },
    "full-auto": { mode: agentOf("full-auto") },
  },
  toolName: { in: "title", pattern: /^([a-z][a-z_]*)$/ },
  planTool: "todowrite",
  subagentTool: "task",
  lost: /^OpenCode service failure$/,
  compact: "compact",
  unlisted: true,
  login: "opencode auth login",
};
