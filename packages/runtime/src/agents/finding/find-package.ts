import { readFile, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type Environment, pathFolders } from "./environment.ts";
import type { LoginShell } from "./login-shell.ts";
import { type Folder, toolchainFolders } from "./toolchain-folders.ts";

export type PackageSearch = {
  found?: { folder: string; how: string };
  /** The folder that the user named, when it has no such package. No other place was searched. */
  override?: string;
};

/**
 * Searches for a package that the user has installed globally: in the folder that the user named, else next to the
 * programs on PATH, in toolchain folders and on the login shell's PATH. A project's packages are never searched, because
 * a repository could supply them. Never throws.
 */
export async function findPackage(
  { name, override }: { name: string; override?: string },
  env: Environment,
  shell: LoginShell,
): Promise<PackageSearch> {
  if (override) {
    const path = resolve(override.replace(/^~(?=[/\\])/, env.HOME || homedir()));
    const folder = await firstPackage(name, [path, join(path, "node_modules", name), join(path, name)]);
    return folder ? { found: { folder, how: "override" } } : { override: path };
  }
  const steps: (() => Promise<Folder[]>)[] = [
    async () => pathFolders(env.PATH).map((folder) => ({ folder, how: "PATH" })),
    () => toolchainFolders(env),
    async () => (await shell.folders()).map((folder) => ({ folder, how: "login shell" })),
  ];
  for (const step of steps) {
    for (const { folder, how } of await step()) {
      const found = await firstPackage(name, globalPlaces(folder, name));
      if (found) return { found: { folder: found, how } };
    }
  }
  return {};
}

/** The programs of packages that yarn, pnpm or bun installed globally. Those of a project have another parent. */
const GLOBAL_BIN = /\/(yarn|pnpm|install)\/global(\/\d+)?\/node_modules\/\.bin\/?$/;

/** Where npm, bun, pnpm and yarn put global packages, relative to the folder of their programs. */
function globalPlaces(bin: string, name: string): string[] {
  const prefix = dirname(bin);
  return [
    join(prefix, "lib", "node_modules", name),
    join(prefix, "install", "global", "node_modules", name),
    join(bin, "global", "5", "node_modules", name),
    join(prefix, "global", "5", "node_modules", name),
    ...(GLOBAL_BIN.test(bin) ? [join(prefix, name)] : []),
  ];
}

async function firstPackage(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) if (await isPackage(folder, name)) return realpath(folder).catch(() => folder);
  return undefined;
}

async function isPackage(folder: string, name: string): Promise<boolean> {
  try {
    return (JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { name?: string }).name === name;
  } catch {
    return false;
  }
}
