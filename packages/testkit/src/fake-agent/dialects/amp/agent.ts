// From: Amp's published description of `--stream-json` (ampcode.com/news/streaming-json and the appendix of its manual).
// There is no recording: the program needs an account.
import { randomUUID } from "node:crypto";
import { type Dialect, flagValue } from "@gantry/scripted/agent";
import { startPrint } from "../print.ts";
import { AmpSink } from "./sink.ts";

const VERSION = "0.0.1762";

/** Amp: `amp [threads continue <id>] --execute --stream-json`, the prompt on stdin, one process a turn. */
export const amp: Dialect = {
  oneShot: (argv) => (argv.includes("--version") ? { stdout: `${VERSION} (released 2026-11-10)\n`, code: 0 } : null),
  start: (host) =>
    startPrint(
      {
        model: (argv) => flagValue(argv, "--mode") ?? "medium",
        resume: (argv) => (argv[0] === "threads" && argv[1] === "continue" ? argv[2] : undefined),
        newId: () => `T-${randomUUID()}`,
        lost: (id) => `Error: Thread ${id} not found`,
        sink: (own, talk) => new AmpSink(own, talk),
      },
      host,
    ),
};
