import { spawnSync } from "node:child_process";
import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { formatBytes, homePath } from "@gantry/terminal";

/** One thing that was looked at. `fix` is a command or sentence that a person can act on. */
export type Check = { name: string; state: "ok" | "warn" | "fail"; detail: string; fix?: string };

const NODE_MAJOR = 24;
const LITTLE_BYTES = 1024 ** 3;
const NO_BYTES = 100 * 1024 ** 2;

/** The checks that need no daemon. */
export function environmentChecks(home: string): Check[] {
  return [nodeCheck(process.versions.node), homeCheck(home), diskCheck(home), gitCheck()];
}

export function nodeCheck(version: string): Check {
  const detail = `${version} (${homePath(process.execPath)})`;
  if (Number.parseInt(version, 10) >= NODE_MAJOR) return { name: "node", state: "ok", detail };
  return {
    name: "node",
    state: "fail",
    detail,
    fix: `Gantry runs on Node ${NODE_MAJOR} or newer: start it with ./gantry or npm start.`,
  };
}

export function homeCheck(home: string): Check {
  const name = "home";
  const detail = homePath(home);
  try {
    const mode = statSync(home).mode & 0o777;
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
    if (process.platform === "win32" || (mode & 0o077) === 0) return { name, state: "ok", detail };
    return {
      name,
      state: "warn",
      detail: `${detail} can be read by others (mode ${mode.toString(8)})`,
      fix: `chmod 700 ${home}`,
    };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return { name, state: "ok", detail: `${detail} (created at the first start)` };
    return {
      name,
      state: "fail",
      detail: `${detail}: ${(error as Error).message}`,
      fix: `chown -R "$USER" ${home} && chmod 700 ${home}`,
    };
  }
}

function diskCheck(home: string): Check {
  const name = "disk";
  try {
    const { bavail, bsize } = statfsSync(existingFolder(home));
    const free = bavail * bsize;
    const detail = `${formatBytes(free)} free`;
    if (free >= LITTLE_BYTES) return { name, state: "ok", detail };
    const fix = "Free some space, or lower retention.spoolMb in config.yml.";
    return { name, state: free < NO_BYTES ? "fail" : "warn", detail, fix };
  } catch (error) {
    return { name, state: "warn", detail: `cannot be asked: ${(error as Error).message}` };
  }
}

function gitCheck(): Check {
  const git = spawnSync("git", ["--version"], { encoding: "utf8", timeout: 5000 });
  if (git.status === 0) return { name: "git", state: "ok", detail: git.stdout.trim() };
  return {
    name: "git",
    state: "warn",
    detail: "not found; sessions work without it, diffs of turns do not",
    fix: "Install git with your package manager.",
  };
}

function existingFolder(path: string): string {
  try {
    statSync(path);
    return path;
  } catch {
    return dirname(path) === path ? path : existingFolder(dirname(path));
  }
}
