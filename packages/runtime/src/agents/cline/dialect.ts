import type { Dialect } from "../acp/dialect.ts";

/** Cline: opens a conversation only after a login of its own. */
export const dialect: Dialect = {
  agent: "cline",
  version: 1,
  args: ["--acp"],
  rungs: {},
  login: "cline auth",
};
