import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { RuleProblem } from "../contract/rules.ts";
import { listParentFolders, type Surroundings } from "./discovery.ts";
import { type ImportPlace, withImports } from "./imports.ts";

/** Instructions for a folder and its contents. `name` is its path, relative to the session's folder. */
export type ContextFile = { name: string; path: string; content: string };

/** Read in every folder. Identical texts are included once. */
const FIRST = ["AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"];
/** Read in a folder that has none of `FIRST`. */
const OTHERWISE = ["GEMINI.md", ".github/copilot-instructions.md"];

/** The user's instructions for all agents, in the places of several tools. Later files take precedence. */
const USERS = [".gemini/GEMINI.md", ".codex/AGENTS.md", ".claude/CLAUDE.md"];

/** From the user's files over the repository's root to the session's folder: nearer files come later and take precedence. */
export function contextFiles(place: Surroundings, problems: RuleProblem[]): ContextFile[] {
  const { cwd, home, agentDir } = place;
  const users = [...USERS.map((path) => join(home, path)), join(agentDir, "AGENTS.md")].filter((path) =>
    existsSync(path),
  );
  const folders = listParentFolders(cwd).reverse();
  return dropDuplicates([
    ...users.flatMap((path) => read(path, { cwd, home }, problems)),
    ...folders.flatMap(pathsIn).flatMap((path) => read(path, { cwd, home, within: folders[0]! }, problems)),
  ]);
}

/** Instructions in the folders between the session's folder (or its repository) and a file that the system prompt lacks. */
export function nestedContextFiles(file: string, place: Surroundings, problems: RuleProblem[]): ContextFile[] {
  const { cwd, home } = place;
  const startFolders = listParentFolders(cwd);
  const root = startFolders.at(-1)!;
  const folders: string[] = [];
  for (
    let folder = dirname(resolve(file));
    folder !== root && folder.startsWith(root + sep);
    folder = dirname(folder)
  ) {
    if (!startFolders.includes(folder)) folders.unshift(folder);
  }
  return dropDuplicates(folders.flatMap(pathsIn).flatMap((path) => read(path, { cwd, home, within: root }, problems)));
}

function pathsIn(folder: string): string[] {
  const findExisting = (names: string[]) => names.map((name) => join(folder, name)).filter((path) => existsSync(path));
  const first = findExisting(FIRST);
  return first.length > 0 ? first : findExisting(OTHERWISE);
}

function read(path: string, place: ImportPlace, problems: RuleProblem[]): ContextFile[] {
  return withImports(path, place, problems).map(({ path: file, content }) => {
    const near = relative(place.cwd, file);
    return { name: near.startsWith("..") ? file : near, path: file, content };
  });
}

function dropDuplicates(files: ContextFile[]): ContextFile[] {
  return files.filter(({ content }, index) => files.findIndex((other) => other.content === content) === index);
}
