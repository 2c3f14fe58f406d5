import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { environmentError } from "../program/errors.ts";
import { runNpm } from "./npm.ts";
import type { Source } from "./source.ts";

/** A version that is installed next to the running one and not in use yet. */
export type Staged = { version: string; root: string; remove(): void };

type Env = Record<string, string | undefined>;

/** Builds of earlier versions that stay: a process may run for longer than one upgrade. */
const RETAINED = 3;
const START_MS = 120_000;

/**
 * Installs a version with npm into a folder next to the package `root` and starts it once. Throws if that fails; the running
 * version is not touched. On the same file system, so that `swapIn` can rename it.
 */
export async function stage(root: string, source: Source, env: Env): Promise<Staged> {
  const folder = makeFolder(dirname(root));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const installed = await runNpm(["install", "--global", "--prefix", folder, source.spec], { cwd: folder, env });
    if (!installed.ok)
      throw failure("not_installed", `npm could not install from ${source.label}: ${installed.problem}`);
    const staged = join(folder, "lib", "node_modules", "gantry");
    const version = checkManifest(staged, source);
    await checkStart(join(staged, "bin", "gantry"), version, env);
    return { version, root: staged, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Puts the staged version in the place of the package `root`. Processes of the previous version load further files from
 * its build folder, so that folder is copied first and its path never changes. Throws if that fails, for example on a full
 * disk; then the package is as before. Returns how to undo it, and how to remove what an undo needs.
 */
export function swapIn(root: string, staged: Staged): { undo(): void; finish(): void } {
  const previous = `${dirname(staged.root)}/previous`;
  try {
    for (const build of retainedBuilds(root)) {
      if (!existsSync(join(staged.root, build)))
        cpSync(join(root, build), join(staged.root, build), { recursive: true, preserveTimestamps: true });
    }
    renameSync(root, previous);
    renameSync(staged.root, root);
  } catch (error) {
    if (existsSync(previous)) renameSync(previous, root);
    staged.remove();
    throw failure("not_replaced", `The package could not be replaced: ${(error as Error).message}`);
  }
  return {
    undo() {
      renameSync(root, staged.root);
      renameSync(previous, root);
    },
    finish: staged.remove,
  };
}

function retainedBuilds(root: string): string[] {
  const builds = readdirSync(root).filter((name) => name.startsWith("build-"));
  const age = (name: string) => statSync(join(root, name)).ctimeMs;
  return builds.sort((a, b) => age(b) - age(a)).slice(0, RETAINED);
}

/** A name with a dot: npm and Node ignore such folders. */
function makeFolder(parent: string): string {
  try {
    return mkdtempSync(join(parent, ".gantry-upgrade-"));
  } catch (error) {
    throw environmentError(
      "not_writable",
      `${parent} cannot be changed: ${(error as Error).message}. Nothing was changed.`,
      "Run the command as the user that installed Gantry.",
    );
  }
}

/** Nothing of the package has run yet. A package of another origin may have the same name. */
function checkManifest(staged: string, source: Source): string {
  const manifest = readManifest(staged);
  if (manifest?.name === "gantry" && manifest.gantry?.build && manifest.version) return manifest.version;
  throw failure("not_gantry", `What ${source.label} has is not this program`);
}

function readManifest(folder: string): { name?: string; version?: string; gantry?: { build?: string } } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    return undefined;
  }
}

/** `gantry version` of the new version, with the Node that it will run with. */
async function checkStart(launcher: string, version: string, env: Env): Promise<void> {
  const path = `${dirname(process.execPath)}:${env.PATH ?? ""}`;
  const printed = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    execFile(launcher, ["version"], { env: { ...env, PATH: path }, timeout: START_MS }, (_, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });
  if (printed.stdout.trim() === version) return;
  const reason = printed.stderr.trim().split("\n").slice(0, 3).join(" ") || "it printed no version";
  throw failure("does_not_start", `Version ${version} does not start: ${reason}`);
}

function failure(code: string, message: string): Error {
  const unchanged = "The installed version stays, and a running daemon was not stopped.";
  return environmentError(code, `${message}. ${unchanged}`, "Try again later, or report the problem.");
}
