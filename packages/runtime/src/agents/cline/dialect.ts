import type { Dialect } from "../acp/dialect.ts";
import { calls } from "./calls.ts";

/**
 * Cline. It opens a conversation after a login of its own, or with `CLINE_API_KEY` and `CLINE_PROVIDER`. Its plan mode
 * is no rung: it is taken only before the first prompt of a conversation, and lost when that is opened again.
 */
export const dialect: Dialect = {
  agent: "cline",
  version: 1,
  args: ["--acp"],
  // Otherwise it runs conversations in a daemon of its own, which it leaves behind.
  env: { CLINE_SESSION_BACKEND_MODE: "local" },
  // It reads a client's servers and does nothing with them.
  takes: {},
  rungs: {
    ask: { mode: "act", options: { auto_approve: "false" } },
    "full-auto": { mode: "act", options: { auto_approve: "true" } },
  },
  toolName: { in: "title", pattern: /^([\w-]+)(?::|$)/ },
  dropsImages: true,
  call: calls,
  subagentTool: "spawn_agent",
  failures: [
    [/\bx-api-key\b/i, "auth"],
    [/\bmodel: \S+$/, "model_unavailable"],
  ],
  login: "cline auth",
};
