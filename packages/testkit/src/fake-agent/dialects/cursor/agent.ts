// From: Cursor's documentation of ACP and its own methods (cursor.com/docs/cli/acp) and of the print formats
// (cursor.com/docs/cli/reference/output-format), and its users' published records of 2026.08 and 2026.09. There is no
// recording by this project: the program is not in the package registry and needs an account.
import { randomUUID } from "node:crypto";
import { type Dialect, flagValue } from "@gantry/scripted/agent";
import { acpDialect } from "../acp/agent.ts";
import { startPrint } from "../print.ts";
import { CursorPrintSink } from "./print.ts";
import { profile } from "./profile.ts";

const acp = acpDialect(profile);

/** Cursor: `cursor-agent acp`, or `cursor-agent --print --output-format stream-json` with the prompt on stdin. */
export const cursor: Dialect = {
  oneShot: acp.oneShot,
  start(host) {
    if (!host.argv.includes("--print")) return acp.start(host);
    const print = {
      model: (argv: readonly string[]) => flagValue(argv, "--model") ?? "Auto",
      resume: (argv: readonly string[]) => flagValue(argv, "--resume"),
      newId: () => randomUUID(),
      lost: (id: string) => `Error: Session not found: ${id}`,
      sink: (...own: ConstructorParameters<typeof CursorPrintSink>) => new CursorPrintSink(...own),
    };
    return startPrint(print, host);
  },
};
