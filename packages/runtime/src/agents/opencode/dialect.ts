import type { Dialect } from "../acp/dialect.ts";

/** Permissions are configuration: they are given to the process when it starts, on top of the user's own. */
function permission(rules: Record<string, "ask" | "allow">): Record<string, string> {
  return { OPENCODE_PERMISSION: JSON.stringify(rules) };
}

/** OpenCode: modes are agents of its own, permissions its configuration. */
export const dialect: Dialect = {
  agent: "opencode",
  version: 1,
  args: ["acp"],
  rungs: {
    plan: { mode: "plan" },
    ask: { mode: "build", env: permission({ edit: "ask", bash: "ask", webfetch: "ask" }) },
    "auto-edit": { mode: "build", env: permission({ edit: "allow", bash: "ask", webfetch: "ask" }) },
    "full-auto": { mode: "build", env: permission({ edit: "allow", bash: "allow", webfetch: "allow" }) },
  },
  toolName: { in: "title", pattern: /^([a-z][a-z_]*)$/ },
  lost: /^OpenCode service failure$/,
  compact: "compact",
  login: "opencode auth login",
};
