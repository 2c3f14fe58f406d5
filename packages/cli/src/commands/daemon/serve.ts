import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { isStorageFull } from "@gantry/runtime/errors";
import { dropMallocSettings } from "../../daemon/malloc-settings.ts";
import type { Context } from "../../program/context.ts";
import { exitCodes } from "../../program/exit-codes.ts";
import { projectCodeFinder } from "../trust/project-code.ts";
import { fateLine } from "./fate-line.ts";

export type ServeFlags = { port?: number; host?: string; onStop: "keep" | "release" };

/**
 * Calls of a function before V8's last compiler translates it; the default is 3,000. The compiler runs in other threads,
 * and during a burst it competes with agents and clients for the processors: docs/internals/performance.md.
 */
const CALLS_BEFORE_TURBOFAN = 40_000;

/** Part of an installed package, not of a clone: the build of a clone stores the compiled code. */
const STORE_PROGRAM = "store-compiled-code.mjs";

/** The daemon in the foreground, until a signal or `gantry stop`. */
export default async function serve(this: Context, flags: ServeFlags): Promise<void> {
  const { home, env, version, output } = this;
  for (const each of [env, process.env]) dropMallocSettings(each);
  const asked = stopSignal();
  const { startDaemon } = await import("@gantry/runtime/daemon");
  surviveFullDisk(output.note);
  const daemon = await startDaemon({
    home,
    env,
    version,
    port: flags.port,
    host: flags.host,
    pageDir: builtPage(env.GANTRY_PAGE_DIR),
    findProjectCode: projectCodeFinder(env, home),
    program: [process.execPath, "--disable-warning=ExperimentalWarning", process.argv[1] ?? ""],
  });
  void asked.then(() => daemon.stop(flags.onStop));
  // V8 accepts stored code (`code-cache.ts`) only with the flags of the program that stored it. So the flag is set after the
  // start, and not in the run that stores the code.
  if (env.GANTRY_RECORD_CODE_CACHE !== "1")
    setFlagsFromString(`--invocation-count-for-turbofan=${CALLS_BEFORE_TURBOFAN}`);
  if (output.json) {
    output.data({ ready: true, url: daemon.url, port: daemon.port, pid: daemon.pid, token: daemon.token });
  } else {
    output.print(`gantry ready ${new URL("/", daemon.url)}#ticket=${daemon.ticket()}`);
  }
  if (env.GANTRY_RECORD_CODE_CACHE !== "1" && existsSync(join(import.meta.dirname, STORE_PROGRAM))) {
    const { storeCompiledCode } = await import("../../daemon/compiled-code.ts");
    storeCompiledCode(import.meta.dirname, STORE_PROGRAM);
  }
  await daemon.stopped;
  output.note(fateLine(await daemon.stop(flags.onStop)));
}

/**
 * A full disk must not end the daemon and with it every stream: commits are retried or reported to their caller. Any other
 * uncaught error ends the process, as it would without this listener.
 */
function surviveFullDisk(note: (text: string) => void): void {
  process.on("uncaughtException", (error) => {
    note(error.stack ?? String(error));
    if (!isStorageFull(error)) process.exit(exitCodes.failed);
  });
}

/** The configured page folder, or the one in or next to the bundle (also for a daemon that runs from source). */
function builtPage(wanted: string | undefined): string | undefined {
  if (wanted) return wanted;
  const places = ["page", "../../page", "../../../../../dist/page"].map((place) => join(import.meta.dirname, place));
  const found = places.find((place) => existsSync(join(place, "index.html")));
  // A rebuild replaces the link; this daemon continues with the files that belong together.
  return found && realpathSync(found);
}

/** Resolves at the first signal, also at one that comes while the daemon starts; the second one ends the process. */
function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = false;
  const onSignal = () => {
    if (asked) process.exit(exitCodes.interrupted);
    asked = true;
    resolve();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return promise;
}
