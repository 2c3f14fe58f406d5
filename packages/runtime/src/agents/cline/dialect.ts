import type { Dialect } from "../acp/dialect.ts";
import { calls } from "./calls.ts";

/**
 * Cline. It requires a login, or `CLINE_API_KEY` and `CLINE_PROVIDER`. Plan mode is not offered: it only applies before
 * the first prompt and is lost on resume.
 */
export const dialect: Dialect = {
  agent: "cline",
  version: 1,
  args: ["--acp"],
  // Otherwise it leaves a daemon behind.
  env: { CLINE_SESSION_BACKEND_MODE: "local" },
  // It reads a client's servers but does not use them.
  takes: { folders: true },
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
