import type { Dialect } from "../acp/dialect.ts";
import { cursorControls } from "./controls.ts";
import { extensions } from "./extensions.ts";

/**
 * Cursor, based on its documentation and recordings by its users. Asks for what its configuration does not allow;
 * `--force` allows everything it does not deny. Reports no usage.
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
  controls: { set: cursorControls, native: "cursor-mode" },
  extensions,
  login: "cursor-agent login",
};
