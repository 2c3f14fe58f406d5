import { constants } from "node:fs";
import { access, lstat, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Agent } from "../contract.ts";
import { type Environment, pathFolders } from "./environment.ts";
import type { LoginShell } from "./login-shell.ts";
import { type Folder, toolchainFolders } from "./toolchain-folders.ts";

export type Verdict = "executable" | "absent" | "a folder" | "not executable" | "a link to nothing";

/** A place that was looked at. `how` is `override`, `PATH`, a toolchain's name or `login shell`. */
export type Candidate = { path: string; how: string; verdict: Verdict };

export type Finding = {
  found?: { path: string; how: string };
  /** The program named by the environment, when it cannot be used. Nothing else was looked for then. */
  override?: Candidate;
  /** Everything that was looked at, in order. */
  considered: Candidate[];
};

/**
 * Looks for a program: the override in the environment, PATH, the toolchains' folders, the login shell's PATH; the
 * first that can be executed wins. An override that cannot be used is never passed over. Never throws.
 */
export async function findBinary(find: Agent["find"], env: Environment, shell: LoginShell): Promise<Finding> {
  const override = env[find.env];
  if (override) return findNamed(override, env);
  const considered: Candidate[] = [];
  const steps: (() => Promise<Folder[]>)[] = [
    async () => pathFolders(env.PATH).map((folder) => ({ folder, how: "PATH" })),
    () => toolchainFolders(env),
    async () => (await shell.folders()).map((folder) => ({ folder, how: "login shell" })),
  ];
  for (const step of find.bin.length > 0 ? steps : []) {
    const found = await search(find.bin, await step(), considered);
    if (found) return { found, considered };
  }
  return { considered };
}

/** Is it a path, and not just a name? */
export function isPath(program: string): boolean {
  return /[/\\]/.test(program);
}

/** What stands at a path. */
async function examine(path: string): Promise<Verdict> {
  const there = await stat(path).catch(() => undefined);
  if (!there) return (await lstat(path).catch(() => undefined)) ? "a link to nothing" : "absent";
  if (!there.isFile()) return "a folder";
  return access(path, constants.X_OK).then(
    () => "executable" as const,
    () => "not executable" as const,
  );
}

/** The one program that a person named, by its path or by its name on PATH. Never throws. */
export async function findNamed(override: string, env: Environment): Promise<Finding> {
  const considered: Candidate[] = [];
  const bare = !isPath(override);
  const folders = bare ? pathFolders(env.PATH).map((folder) => ({ folder, how: "override" })) : [];
  const found = await search([override], folders, considered);
  if (found) return { found, considered };
  const path = bare ? override : resolve(override.replace(/^~(?=[/\\])/, env.HOME || homedir()));
  const candidate: Candidate = { path, how: "override", verdict: bare ? "absent" : await examine(path) };
  considered.push(candidate);
  if (candidate.verdict !== "executable") return { override: candidate, considered };
  return { found: { path, how: "override" }, considered };
}

async function search(names: string[], folders: Folder[], considered: Candidate[]): Promise<Finding["found"]> {
  const seen = new Set(considered.map(({ path }) => path));
  for (const name of names) {
    for (const { folder, how } of folders) {
      const path = join(folder, name);
      if (seen.has(path)) continue;
      seen.add(path);
      const verdict = await examine(path);
      considered.push({ path, how, verdict });
      if (verdict === "executable") return { path, how };
    }
  }
  return undefined;
}
