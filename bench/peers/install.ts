import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repository } from "../child.ts";

const FOLDER = join(repository, ".cache", "bench-peers");

/**
 * The path of a peer's native program in exactly this version, installed from the package registry if it is missing.
 * Throws with npm's message if that fails.
 */
export function installPeer(name: string, specs: string[], program: string): string {
  const folder = join(FOLDER, name);
  const path = join(folder, "node_modules", program);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const flags = [
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--no-package-lock",
      "--loglevel=error",
      "--fetch-retries=1",
    ];
    const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
    const done = spawnSync("npm", ["install", ...flags, ...specs], {
      cwd: folder,
      env,
      encoding: "utf8",
      timeout: 300_000,
    });
    if (done.status !== 0) throw new Error(`npm install ${specs.join(" ")}: ${(done.stderr || "").trim()}`);
    if (!existsSync(path)) throw new Error(`${specs.join(" ")} does not contain ${program}`);
  }
  chmodSync(path, 0o755);
  return path;
}
