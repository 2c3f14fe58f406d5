import type { Dialect } from "../acp/dialect.ts";
import { extensions } from "./extensions.ts";

/**
 * Cursor, as its documentation and the recorded talks of its users describe it: asks before what its configuration does
 * not allow; `--force` allows all that it does not deny. Tells no tokens.
 */
export const dialect: Dialect = {
  agent: "cursor",
  version: 1,
  args: ["acp"],
  rungs: {
    plan: { mode: "plan" },
    ask: { mode: "agent" },
    "full-auto": { mode: "agent", first: ["--force"] },
  },
  extensions,
  login: "cursor-agent login",
};
