import type { Dialect } from "../acp/dialect.ts";

/** Goose, as its documentation describes it: the mode is chosen by environment. */
export const dialect: Dialect = {
  agent: "goose",
  version: 1,
  args: ["acp"],
  rungs: {
    ask: { env: { GOOSE_MODE: "approve" } },
    "full-auto": { env: { GOOSE_MODE: "auto" } },
  },
  login: "goose configure",
};
