import type { Dialect } from "../acp/dialect.ts";
import type { Fields } from "../fields.ts";
import { modeAgentPrefix, modeAgents, PLAN_NOTE } from "../kit/mode-agents.ts";

/** Its question tool is not reported over ACP and would block. */
const { kitParts } = modeAgents({ variable: "KILO_CONFIG_CONTENT", denied: ["question"] });

/** Kilo: derived from OpenCode, with the same protocol. */
export const dialect: Dialect = {
  agent: "kilo",
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
  planNote: PLAN_NOTE,
  toolName: { in: "title", pattern: /^([a-z][a-z_]*)$/ },
  call: addToolName,
  planTool: "todowrite",
  subagentTool: "task",
  retries: /^(?=.*message="stream error")(?=.* small=false ).*?error\.error="(?:AI_\w+: )?(?<reason>[^"]+)"/,
  lost: /^OpenCode service failure$/,
  compact: "compact",
  unlisted: true,
  login: "kilo auth login",
};

/** A permission request may precede its call; then only the kind identifies the tool. */
function addToolName(call: Fields): Fields {
  return call.kind === "execute" ? { ...call, name: "bash" } : call;
}
