import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { readRegularText } from "@gantry/trust";
import { findGit, gitPrograms } from "../permissions/git-folders.ts";

/** A repository around or below a session's folder. `id` changes when its `.git` is replaced. */
export type Repository = {
  git: string;
  id: string;
  /** The files that make git run programs. Only for repositories that a command has created. */
  programs(): string[];
};

/** How deep below a session's folder repositories are looked for, and how many folders at most. */
const DEEPEST = 2;
const MOST_FOLDERS = 400;
const SKIPPED = new Set(["node_modules", "target", "vendor", "dist", "build"]);

/**
 * The repositories that git would use in these folders: the one around each, and those up to two levels below. `known` ones
 * are left out. Never throws.
 */
export function findRepositories(folders: readonly string[], known: readonly Repository[] = []): Repository[] {
  const around = folders.flatMap((folder) => gitEntryAround(folder) ?? []);
  const below = folders.flatMap((folder) => entriesBelow(resolve(folder)));
  const ids = new Set(known.map(({ git, id }) => `${git} ${id}`));
  return [...new Set([...around, ...below])]
    .map((git) => ({ git, id: identityOf(git), programs: () => programsOf(git) }))
    .filter(({ git, id }) => id !== "" && !ids.has(`${git} ${id}`));
}

/** Files of these repositories that name programs, or lead to files that do. `missing` ones must not be created. */
export function guardRepositories(repositories: readonly Repository[]): { present: string[]; missing: string[] } {
  const found = repositories.flatMap(({ git }) => {
    const folders = findGit(join(git, ".."));
    return folders ? [gitPrograms(folders)] : [];
  });
  return {
    present: [...new Set(found.flatMap(({ present }) => present))],
    missing: [...new Set(found.flatMap(({ missing }) => missing))],
  };
}

function gitEntryAround(folder: string): string | undefined {
  const git = findGit(folder);
  return git && (git.link ?? git.own);
}

/** The `.git` of repositories below the folder, by breadth. */
function entriesBelow(folder: string): string[] {
  const found: string[] = [];
  let level = [folder];
  let left = MOST_FOLDERS;
  for (let depth = 0; depth <= DEEPEST && left > 0; depth++) {
    const next: string[] = [];
    for (const each of level.slice(0, left)) {
      if (existsSync(join(each, ".git"))) found.push(join(each, ".git"));
      if (depth < DEEPEST) next.push(...subfolders(each));
    }
    left -= level.length;
    level = next;
  }
  return found;
}

function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() && !entry.name.startsWith(".") && !SKIPPED.has(entry.name) ? [join(folder, entry.name)] : [],
    );
  } catch {
    return [];
  }
}

function identityOf(git: string): string {
  try {
    const { dev, ino } = statSync(git);
    return `${dev}:${ino}`;
  } catch {
    return "";
  }
}

/** In a repository that a command created, whatever is not known to be harmless counts. */
function programsOf(git: string): string[] {
  const folders = findGit(join(git, ".."));
  if (!folders) return [];
  return gitPrograms(folders).present.filter((path) => {
    if (path === folders.link) return false;
    if (path.endsWith("/commondir")) return folders.link === undefined;
    if (path.endsWith("/hooks")) return namesIn(path).some((name) => !name.endsWith(".sample"));
    return !path.endsWith("/config") || !isHarmlessConfig(path);
  });
}

/** The names in a folder; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Settings that name no program and no other file with settings. */
const HARMLESS_SETTINGS = new RegExp(
  `^(${[
    "core\\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|worktree|sparsecheckout|sparsecheckoutcone)",
    "user\\.(name|email)",
    "remote\\..+\\.(url|pushurl|fetch|tagopt|mirror|promisor|partialclonefilter)",
    "branch\\..+\\.(remote|merge|rebase|description|pushremote)",
    "submodule\\.(.+\\.)?(url|active|branch)",
    "extensions\\.(objectformat|partialclone|refstorage)",
    "(init\\.defaultbranch|pull\\.(rebase|ff)|push\\.(default|autosetupremote)|fetch\\.prune|gc\\.auto|index\\.version)",
    "(advice|color)\\..+",
  ].join("|")})$`,
  "i",
);
/** Addresses that make git run a program. */
const RUNS_PROGRAM = /^["\s]*(-|[a-z]+::)/i;

function isHarmlessConfig(file: string): boolean {
  let section = "";
  try {
    for (const line of readRegularText(file)
      .split("\n")
      .map((text) => text.trim())) {
      if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
      // A value that continues on the next line could hide a setting from this reading.
      if (line.endsWith("\\")) return false;
      const header = /^\[([\w.-]+)(?:\s+"((?:[^"\\])*)")?\]$/.exec(line);
      if (header) section = header[2] === undefined ? header[1]! : `${header[1]}.${header[2]}`;
      else {
        const setting = /^([\w-]+)\s*(?:=\s*(.*))?$/.exec(line);
        if (!setting || !HARMLESS_SETTINGS.test(`${section}.${setting[1]}`)) return false;
        if (/url$/i.test(setting[1]!) && RUNS_PROGRAM.test(setting[2] ?? "")) return false;
      }
    }
    return true;
  } catch {
    return false;
  }
}
