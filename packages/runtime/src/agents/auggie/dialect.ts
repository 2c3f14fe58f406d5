import type { Dialect } from "../acp/dialect.ts";

/** Auggie: cannot be logged in over ACP. */
export const dialect: Dialect = {
  agent: "auggie",
  version: 1,
  args: ["--acp"],
  rungs: {},
  login: "auggie login",
};
