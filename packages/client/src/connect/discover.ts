import { GantryError } from "@gantry/protocol";
import type { Target } from "../transport.ts";

/** The file `daemon.json` that a daemon writes into its home folder when it is ready. */
export type DaemonFile = { pid: number; port: number; url: string; version: string; startedAt: string };

/**
 * Finds the daemon of a home folder by `daemon.json` and `token`. Throws `unavailable` when the files are missing. A
 * found daemon may have ended since; only a request shows whether it still runs. Without a folder: `GANTRY_HOME`, or
 * `~/.gantry`.
 */
export function discover(home?: string): Target & { daemon: DaemonFile } {
  const { fs, os, path } = nodeModules();
  const folder = home ?? (process.env.GANTRY_HOME || path.join(os.homedir(), ".gantry"));
  const read = (name: string) => {
    try {
      return fs.readFileSync(path.join(folder, name), "utf8");
    } catch {
      return undefined;
    }
  };
  const daemon = parse(read("daemon.json"));
  const token = read("token")?.trim();
  if (daemon && token) return { url: daemon.url, token, daemon };
  throw new GantryError("unavailable", `No daemon runs for ${folder}.`, { remedy: "`gantry serve` starts one." });
}

/** Not imports: the main entry of this package also runs in browsers, where a bundler could not resolve them. */
function nodeModules() {
  const load = globalThis.process?.getBuiltinModule;
  if (!load) {
    throw new GantryError("unavailable", "Only a program that runs in Node can find a daemon by its files.", {
      remedy: "Pass url and token.",
    });
  }
  return { fs: load("node:fs"), os: load("node:os"), path: load("node:path") };
}

/** `undefined` also for a file that is only partly written. */
function parse(text: string | undefined): DaemonFile | undefined {
  try {
    const value = JSON.parse(text ?? "");
    return typeof value?.url === "string" && typeof value.pid === "number" ? value : undefined;
  } catch {
    return undefined;
  }
}
