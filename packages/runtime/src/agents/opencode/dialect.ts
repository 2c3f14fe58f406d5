import type { Dialect } from "../acp/dialect.ts";
import { modeAgentPrefix, PLAN_NOTE } from "../kit/mode-agents.ts";
import { kitParts } from "./agents.ts";
import { opencodeControls } from "./controls.ts";

/** OpenCode: modes are agents, each with its permissions. */
export const dialect: Dialect = {
  agent: "opencode",
  version: 1,
  args: ["acp", "--print-logs", "--log-level", "ERROR"],
  takes: { instructions: true, servers: ["stdio", "http", "sse"], skills: true, folders: true },
  foldersAtStart: true,
  given: kitParts,
  rungs: {
    plan: { mode: modeAgentPrefix("plan") },
    ask: { mode: modeAgentPrefix("ask") },
    "auto-edit": { mode: modeAgentPrefix("auto-edit") },
    "full-auto": { mode: modeAgentPrefix("full-auto") },
  },
  modesPerProcess: true,
  controls: { set: opencodeControls, native: "agent" },
  planNote: PLAN_NOTE,
  toolName: { in: "title", pattern: /^([a-z][a-z_]*)$/ },
  planTool: "todowrite",
  subagentTool: "task",
  // Auxiliary requests, such as for titles, do not matter. The second form is that of version 1.3.
  retries:
    /^(?=.*message="stream error")(?=.* small=false ).*?error\.error="(?:AI_\w+: )?(?<reason>[^"]+)"|service=session\.processor error=(?<older>.+?)(?: stack="| process$)/,
  // Versions that cannot close a session send text long after the end of a turn.
  trailMs: (can) => (can.close ? 50 : 500),
  // Version 1.3 gives no reason. The user is asked and can retry.
  lost: /^(?:OpenCode service failure|Internal error)$/,
  compact: "compact",
  unlisted: true,
  login: "opencode auth login",
};
