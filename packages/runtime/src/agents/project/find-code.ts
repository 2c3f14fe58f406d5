import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { hashCommand, isInside, readRegularFile, realPath, statOf, type TrustItem } from "@gantry/trust";
import type { Agent } from "../contract.ts";
import type { ProjectCode } from "./declaration.ts";

const MOST_FILES = 2000;
const DEEPEST = 12;
/** Packages that a plugin loads are not compared, as for every trusted program. */
const SKIPPED = new Set(["node_modules", ".git"]);

/**
 * The code of a project for one agent, and the part of it that the user has not trusted. `lostMemory` is the text of the
 * memory files that the agent does not read if something is withheld.
 */
export type ProjectCodeTrust = { found: readonly TrustItem[]; withheld: readonly TrustItem[]; lostMemory?: string };

/**
 * The files with which a project makes these agents run code, each with its content as hash. Agents read them in the
 * session's folder and in the folders above it. `home` is the user's home: what lies in it directly is the user's own.
 * Never throws; a file that cannot be read gets another hash each time, so it is never trusted.
 */
export function findAgentCode(agents: readonly Agent[], folder: string, home: string): TrustItem[] {
  const items = new Map<string, TrustItem>();
  for (const base of listBases(folder, home)) {
    for (const { name, projectCode } of agents) {
      for (const file of projectCode ? listCode(projectCode, base) : []) {
        const known = items.get(file);
        const names = known ? `${known.name}, ${name}` : name;
        items.set(file, known ? { ...known, name: names } : describeFile(file, base, name));
      }
    }
  }
  return [...items.values()];
}

/** The files of one folder that make the agent run code. */
function listCode({ paths, text = [], generated = [] }: ProjectCode, base: string): string[] {
  const files = paths.flatMap((path) => listFiles(join(base, path), base, text));
  const supplied = files.filter((file) => !generated.some((path) => file === join(base, path)));
  return supplied.length > 0 ? supplied : files;
}

/** The folder and those above it, both as the caller spells it and with links resolved, without the user's home. */
export function listBases(folder: string, home: string): string[] {
  const bases = new Set<string>();
  for (const start of [realPath(folder), folder]) {
    for (let base = start; !isHome(base, home); base = dirname(base)) {
      bases.add(base);
      if (dirname(base) === base) break;
    }
  }
  const known = new Set<string>();
  return [...bases].filter((base) => {
    const real = realPath(base);
    return known.has(real) ? false : known.add(real);
  });
}

function isHome(folder: string, home: string): boolean {
  return folder === home || folder === realPath(home);
}

/** The path itself, or every file in it. An unreadable or endless folder counts as one file. */
function listFiles(path: string, base: string, text: readonly string[], depth = 0): string[] {
  if (text.some((entry) => isInside(path, join(base, entry)))) return [];
  const kind = statOf(path);
  if (!kind) return [];
  if (!kind.isDirectory() || depth > DEEPEST) return [path];
  try {
    const names = readdirSync(path).filter((name) => !SKIPPED.has(name));
    const files = names.sort().flatMap((name) => listFiles(join(path, name), base, text, depth + 1));
    return files.length > MOST_FILES ? [path] : files;
  } catch {
    return [path];
  }
}

function describeFile(file: string, base: string, name: string): TrustItem {
  return { kind: "agent-config", name, file, command: relative(base, file), hash: hashFile(file, base) };
}

function hashFile(file: string, base: string): string {
  try {
    const content = readRegularFile(file);
    const text = content.toString("utf8");
    return hashCommand(/\.jsonc?$/.test(file) ? compactJson(text) : content, [text], base);
  } catch {
    return `unreadable ${randomUUID()}`;
  }
}

/**
 * The text without the space between tokens and without a `$schema` at its start: OpenCode adds one to a configuration that
 * lacks it, and Kilo also formats the file. Text with comments is unchanged, because a line break ends a comment.
 */
function compactJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const compact = text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (token) => (token.startsWith('"') ? token : ""));
  return compact.replace(/^\{"\$schema":"[^"\\]*",?/, "{");
}
