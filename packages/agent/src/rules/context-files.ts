import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { RuleProblem } from "../contract/rules.ts";
import { type Surroundings, upwards } from "./discovery.ts";
import { type ImportPlace, withImports } from "./imports.ts";

/** Instructions for a folder and what is in it. `name` is its path, relative to where the session works. */
export type ContextFile = { name: string; path: string; content: string };

/** Read wherever they are; what is the same text twice is told once. */
const FIRST = ["AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"];
/** Read in a folder that has none of the first. */
const OTHERWISE = ["GEMINI.md", ".github/copilot-instructions.md"];

/** What the user says to every agent, in the places of several tools; the later counts more. */
const USERS = [".gemini/GEMINI.md", ".codex/AGENTS.md", ".claude/CLAUDE.md"];

/** From the user's over the repository's root to the session's folder: the nearer stands later and counts more. */
export function contextFiles(place: Surroundings, problems: RuleProblem[]): ContextFile[] {
  const { cwd, home, agentDir } = place;
  const users = [...USERS.map((path) => join(home, path)), join(agentDir, "AGENTS.md")].filter((path) =>
    existsSync(path),
  );
  const folders = upwards(cwd).reverse();
  return distinct([
    ...users.flatMap((path) => read(path, { cwd, home }, problems)),
    ...folders.flatMap(pathsIn).flatMap((path) => read(path, { cwd, home, within: folders[0]! }, problems)),
  ]);
}

/** Instructions of the folders between the session's (or its repository's) and a file, that are not told at the start. */
export function nestedContextFiles(file: string, place: Surroundings, problems: RuleProblem[]): ContextFile[] {
  const { cwd, home } = place;
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
  return distinct(folders.flatMap(pathsIn).flatMap((path) => read(path, { cwd, home, within: root }, problems)));
}

function pathsIn(folder: string): string[] {
  const there = (names: string[]) => names.map((name) => join(folder, name)).filter((path) => existsSync(path));
  const first = there(FIRST);
  return first.length > 0 ? first : there(OTHERWISE);
}

function read(path: string, place: ImportPlace, problems: RuleProblem[]): ContextFile[] {
  return withImports(path, place, problems).map(({ path: file, content }) => {
    const near = relative(place.cwd, file);
    return { name: near.startsWith("..") ? file : near, path: file, content };
  });
}

function distinct(files: ContextFile[]): ContextFile[] {
  return files.filter(({ content }, index) => files.findIndex((other) => other.content === content) === index);
}
