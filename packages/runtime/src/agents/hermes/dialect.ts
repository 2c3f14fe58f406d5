import type { Dialect } from "../acp/dialect.ts";

/** Hermes, as its source describes it. */
export const dialect: Dialect = {
  agent: "hermes",
  version: 1,
  args: ["acp"],
  rungs: {},
  login: "hermes setup",
};
