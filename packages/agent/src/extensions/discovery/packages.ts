import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { readRegularText, realPath, statOf } from "@gantry/trust";
import { readClosure } from "./closure.ts";
import { readCommands } from "./command-folder.ts";
import type { Found } from "./found.ts";

const KEYWORD = "gantry-extension";
const INDEX = ["index.ts", "index.mts", "index.js", "index.mjs"];

type Manifest = {
  name?: string;
  main?: string;
  keywords?: unknown;
  gantry?: { extensions?: unknown; commands?: unknown };
  dependencies?: Record<string, string>;
};

/**
 * The extensions of config.yml (names of packages, or paths relative to the agent's folder), and the packages that were
 * installed into the agent's folder and state in their package.json that they are extensions.
 */
export function findPackages(agentDir: string, named: readonly string[], home = homedir()): Found[] {
  const installed = Object.keys(readManifest(agentDir)?.dependencies ?? {}).filter((name) => {
    const manifest = readManifest(packageFolder(agentDir, name));
    return manifest?.gantry !== undefined || (Array.isArray(manifest?.keywords) && manifest.keywords.includes(KEYWORD));
  });
  const all = [...new Set([...named, ...installed])];
  return all.flatMap((name) => {
    const isPath = /^[.~/]/.test(name) || isAbsolute(name);
    const path = isPath ? resolve(agentDir, name.replace(/^~(?=\/)/, home)) : packageFolder(agentDir, name);
    const from = isPath ? "config.yml" : `package ${name}`;
    if (statOf(path)) return findAt(path, { name: isPath ? nameOf(path) : name, scope: "user", from });
    const problem = isPath
      ? `There is no file or folder ${path}.`
      : `The package is not installed. Run: npm install --prefix ${agentDir} ${name}`;
    return [{ kind: "module" as const, name, scope: "user" as const, from, path, files: new Map(), problem }];
  });
}

/** The modules of a file or of a folder, and the commands that a package adds. */
export function findAt(path: string, about: Pick<Found, "name" | "scope" | "from">): Found[] {
  if (!statOf(path)?.isDirectory()) return [readModule(path, about)];
  const manifest = readManifest(path);
  const { extensions, commands } = manifest?.gantry ?? {};
  const entries = Array.isArray(extensions)
    ? extensions.filter((entry) => typeof entry === "string")
    : [manifest?.main, ...INDEX].filter((entry) => entry !== undefined && statOf(join(path, entry))).slice(0, 1);
  const modules = entries.map((entry, at) =>
    readModule(join(path, String(entry)), { ...about, name: at === 0 ? about.name : `${about.name}/${at + 1}` }),
  );
  const folder = typeof commands === "string" ? join(path, commands) : undefined;
  const texts = folder ? readCommands(folder, { ...about, name: `${about.name}/commands` }) : [];
  if (modules.length + texts.length > 0) return [...modules, ...texts];
  const problem = `The folder has neither ${INDEX.join(", ")} nor a package.json with "gantry": {"extensions": ["./file.js"]}.`;
  return [{ ...about, kind: "module", path, files: new Map(), problem }];
}

/** Other folders hold files that modules import. */
export function isModuleFolder(path: string): boolean {
  return readManifest(path)?.gantry !== undefined || INDEX.some((name) => statOf(join(path, name))?.isFile());
}

function readModule(path: string, about: Pick<Found, "name" | "scope" | "from">): Found {
  const module = { ...about, kind: "module" as const, path: realPath(path) };
  if (/[\\/]node_modules[\\/]/.test(module.path) && /\.[cm]?ts$/.test(module.path)) {
    const problem = "A package must ship JavaScript: Node does not run TypeScript below node_modules.";
    return { ...module, files: new Map(), problem };
  }
  try {
    return { ...module, files: readClosure([path]) };
  } catch (error) {
    return { ...module, files: new Map(), problem: (error as Error).message };
  }
}

export function nameOf(path: string): string {
  const last = path.replace(/\/$/, "").split("/").at(-1) ?? path;
  return last.replace(/\.[cm]?[jt]s$/, "");
}

function packageFolder(agentDir: string, name: string): string {
  return join(agentDir, "node_modules", name);
}

function readManifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readRegularText(join(folder, "package.json"))) as Manifest;
  } catch {
    return undefined;
  }
}
