import type { Dialect } from "../acp/dialect.ts";

/** Permissions are configuration: they are given to the process when it starts, on top of the user's own. */
function permission(rules: Record<string, "ask" | "allow">): Record<string, string> {
  return { KILO_PERMISSION: JSON.stringify(rules) };
}

/** Kilo: a descendant of OpenCode that speaks as it does. */
export const dialect: Dialect = {
  agent: "kilo",
  version: 1,
  args: ["acp"],
  rungs: {
    plan: { mode: "plan" },
    ask: { mode: "code", env: permission({ edit: "ask", bash: "ask", webfetch: "ask" }) },
    "auto-edit": { mode: "code", env: permission({ edit: "allow", bash: "ask", webfetch: "ask" }) },
    "full-auto": { mode: "code", env: permission({ edit: "allow", bash: "allow", webfetch: "allow" }) },
  },
  toolName: { in: "title", pattern: /^([a-z][a-z_]*)$/ },
  lost: /^OpenCode service failure$/,
  compact: "compact",
  login: "kilo auth login",
};
