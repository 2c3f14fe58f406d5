import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "./environment.ts";

export type Folder = { folder: string; how: string };

/**
 * Where a tool manager installs programs: below the folder in `variable`, or else below each of `roots`. A `*` in
 * `bins` stands for every installed version, newest first.
 */
type Toolchain = { name: string; variable?: string; roots: string[]; bins: string[] };

const toolchains: Toolchain[] = [
  { name: "local", roots: ["~/.local", "~"], bins: ["bin"] },
  { name: "volta", variable: "VOLTA_HOME", roots: ["~/.volta"], bins: ["bin"] },
  { name: "fnm", variable: "FNM_MULTISHELL_PATH", roots: [], bins: ["bin"] },
  {
    name: "fnm",
    variable: "FNM_DIR",
    roots: ["~/.local/share/fnm", "~/.fnm", "~/Library/Application Support/fnm"],
    bins: ["aliases/default/bin", "node-versions/*/installation/bin"],
  },
  { name: "nvm", variable: "NVM_DIR", roots: ["~/.nvm", "~/.config/nvm"], bins: ["versions/node/*/bin"] },
  { name: "asdf", variable: "ASDF_DATA_DIR", roots: ["~/.asdf"], bins: ["shims", "installs/nodejs/*/bin"] },
  { name: "mise", variable: "MISE_DATA_DIR", roots: ["~/.local/share/mise"], bins: ["shims", "installs/node/*/bin"] },
  { name: "bun", variable: "BUN_INSTALL", roots: ["~/.bun"], bins: ["bin"] },
  { name: "pnpm", variable: "PNPM_HOME", roots: ["~/.local/share/pnpm", "~/Library/pnpm"], bins: [".", "bin"] },
  { name: "yarn", roots: ["~/.yarn", "~/.config/yarn/global/node_modules"], bins: ["bin", ".bin"] },
  { name: "npm", variable: "NPM_CONFIG_PREFIX", roots: ["~/.npm-global", "~/.npm-packages"], bins: ["bin"] },
  { name: "npm", variable: "npm_config_prefix", roots: [], bins: ["bin"] },
  { name: "cargo", variable: "CARGO_HOME", roots: ["~/.cargo"], bins: ["bin"] },
  {
    name: "homebrew",
    variable: "HOMEBREW_PREFIX",
    roots: ["/opt/homebrew", "/usr/local", "/home/linuxbrew/.linuxbrew"],
    bins: ["bin"],
  },
];

/** Existing toolchain folders, which the PATH of a service or desktop session often lacks. Never rejects. */
export async function toolchainFolders(env: Environment): Promise<Folder[]> {
  const home = env.HOME || homedir();
  const rows = await Promise.all([...toolchains, await npmrcPrefix(home)].map((row) => row && expand(row, env, home)));
  return rows.flatMap((folders) => folders ?? []);
}

async function expand(toolchain: Toolchain, env: Environment, home: string): Promise<Folder[]> {
  const named = toolchain.variable && env[toolchain.variable];
  const roots = named ? [named] : toolchain.roots.map((root) => root.replace(/^~/, home));
  const patterns = roots.flatMap((root) => toolchain.bins.map((bin) => join(root, bin)));
  const folders = await Promise.all(patterns.map(versions));
  return folders.flat().map((folder) => ({ folder, how: toolchain.name }));
}

async function versions(pattern: string): Promise<string[]> {
  const [root, rest] = pattern.split("/*/");
  if (root === undefined || rest === undefined) return [pattern];
  const names = await readdir(root).catch(() => []);
  names.sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  return names.map((name) => join(root, name, rest));
}

async function npmrcPrefix(home: string): Promise<Toolchain | undefined> {
  const text = await readFile(join(home, ".npmrc"), "utf8").catch(() => "");
  const prefix = /^\s*prefix\s*=\s*"?([^"\n]+?)"?\s*$/m.exec(text)?.[1];
  return prefix ? { name: "npm", roots: [prefix.replace(/^\$\{HOME\}/, "~")], bins: ["bin"] } : undefined;
}
