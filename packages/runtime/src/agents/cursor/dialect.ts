import type { Dialect } from "../acp/dialect.ts";

/** Cursor, as its documentation describes it: asks before commands, by its own configuration. */
export const dialect: Dialect = {
  agent: "cursor",
  version: 1,
  args: ["acp"],
  rungs: {
    plan: { mode: "plan" },
    ask: { mode: "agent" },
  },
  quiet: ["cursor/update_todos", "cursor/task", "cursor/generate_image"],
  login: "cursor-agent login",
};
