import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { readText, type Surroundings, upwards } from "./discovery.ts";
import type { RuleProblem } from "./port.ts";

/** Instructions for a folder and what is in it. `name` is its path, relative to where the session works. */
export type ContextFile = { name: string; path: string; content: string };

/** Read wherever they are; what is the same text twice is told once. */
const FIRST = ["AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"];
/** Read in a folder that has none of the first. */
const OTHERWISE = ["GEMINI.md", ".github/copilot-instructions.md"];

/** From the user's over the repository's root to the session's folder: the nearer stands later and counts more. */
export function contextFiles(place: Surroundings, problems: RuleProblem[]): ContextFile[] {
  const folders = upwards(place.cwd).reverse();
  const files = [
    ...(existsSync(join(place.agentDir, "AGENTS.md")) ? [join(place.agentDir, "AGENTS.md")] : []),
    ...folders.flatMap(pathsIn),
  ];
  return distinct(files.flatMap((path) => read(path, place.cwd, problems)));
}

/** Instructions of the folders between the session's (or its repository's) and a file, that are not told at the start. */
export function nestedContextFiles(file: string, cwd: string, problems: RuleProblem[]): ContextFile[] {
  const told = upwards(cwd);
  const root = told.at(-1)!;
  const folders: string[] = [];
  for (
    let folder = dirname(resolve(file));
    folder !== root && folder.startsWith(root + sep);
    folder = dirname(folder)
  ) {
    if (!told.includes(folder)) folders.unshift(folder);
  }
  return distinct(folders.flatMap(pathsIn).flatMap((path) => read(path, cwd, problems)));
}

function pathsIn(folder: string): string[] {
  const there = (names: string[]) => names.map((name) => join(folder, name)).filter((path) => existsSync(path));
  const first = there(FIRST);
  return first.length > 0 ? first : there(OTHERWISE);
}

function read(path: string, cwd: string, problems: RuleProblem[]): ContextFile[] {
  const content = readText(path, problems)?.trim();
  // A file that only points to another says nothing of its own.
  if (!content || /^@(?:\.\/)?AGENTS\.md$/.test(content)) return [];
  const near = relative(cwd, path);
  return [{ name: near.startsWith("..") ? path : near, path, content }];
}

function distinct(files: ContextFile[]): ContextFile[] {
  return files.filter(({ content }, index) => files.findIndex((other) => other.content === content) === index);
}
