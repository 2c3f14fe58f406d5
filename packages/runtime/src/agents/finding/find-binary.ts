import { constants } from "node:fs";
import { access, lstat, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Agent } from "../contract.ts";
import { type Environment, pathFolders } from "./environment.ts";
import type { LoginShell } from "./login-shell.ts";
import { type Folder, toolchainFolders } from "./toolchain-folders.ts";

export type FileVerdict = "executable" | "absent" | "a folder" | "not executable" | "a link to nothing";

/** A checked path. `how` is `override`, `PATH`, a toolchain name or `login shell`. */
export type Candidate = { path: string; how: string; verdict: FileVerdict };

export type BinarySearch = {
  found?: { path: string; how: string };
  /** The program from the override variable, when it is unusable. No other place was searched. */
  override?: Candidate;
  /** All checked paths, in order. */
  considered: Candidate[];
};

/**
 * Searches for a program: override variable, PATH, toolchain folders, login shell PATH. The first executable wins. An
 * unusable override is reported, never skipped. Never throws.
 */
export async function findBinary(find: Agent["find"], env: Environment, shell: LoginShell): Promise<BinarySearch> {
  const override = env[find.env];
  if (override) return findSpecified(override, env);
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

/** Whether it is a path rather than a bare name. */
export function isPath(program: string): boolean {
  return /[/\\]/.test(program);
}

async function examine(path: string): Promise<FileVerdict> {
  const there = await stat(path).catch(() => undefined);
  if (!there) return (await lstat(path).catch(() => undefined)) ? "a link to nothing" : "absent";
  if (!there.isFile()) return "a folder";
  return access(path, constants.X_OK).then(
    () => "executable" as const,
    () => "not executable" as const,
  );
}

/** Resolves a program that the user specified by path or by name on PATH. Never throws. */
export async function findSpecified(override: string, env: Environment): Promise<BinarySearch> {
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

async function search(names: string[], folders: Folder[], considered: Candidate[]): Promise<BinarySearch["found"]> {
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
