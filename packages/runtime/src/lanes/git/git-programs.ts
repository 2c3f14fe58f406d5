import { randomUUID } from "node:crypto";
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import {
  addressIn,
  type ConfigEntry,
  hashCommand,
  hashText,
  isInside,
  type RepositoryPrograms,
  readRegularFile,
  realPath,
  statOf,
  type TrustItem,
} from "@gantry/trust";

/** A repository with the places that git reports for it. */
export type ProgramsOf = RepositoryPrograms & {
  /** The work tree, or the repository itself where it is bare. */
  root: string;
  gitDir: string;
  commonDir: string;
  /** The folder of the hooks that git would run here. */
  hooksFolder: string;
};

/** More than this in a folder of hooks is not listed and not trusted. */
const MOST_FILES = 500;

/** What git run by the user would start in a repository or submodule: programs of its settings, and hooks. */
export function describePrograms(repository: ProgramsOf): TrustItem[] {
  return [...describeSettings(repository), ...describeHooks(repository)];
}

/** One item for each key. Several values of a key count together, because git may use all of them. */
function describeSettings({ entries, path, root, commonDir, gitDir }: ProgramsOf): TrustItem[] {
  const relevant = entries.filter((entry) => {
    const address = addressIn(entry);
    return address === undefined || startsProgram(address, root, [root, commonDir]);
  });
  const byKey = Map.groupBy(relevant, ({ scope, key }) => `${scope} ${key}`);
  return [...byKey].map(([id, all]) => {
    const [{ key, scope }] = all as [ConfigEntry];
    const values = all.map(({ value }) => value);
    const filter = /^filter\.(.*)\.\w+$/.exec(key)?.[1];
    return {
      kind: filter === undefined ? "git-program" : "filter",
      name: filter ?? key,
      file: scope === "worktree" ? join(gitDir, "config.worktree") : join(commonDir, "config"),
      command: values.join(" "),
      hash: hashCommand(JSON.stringify([key, ...values]), values, root),
      id: `git ${path} ${id}`,
    };
  });
}

/** An address such as `ext::sh -c …` names a program. A repository in the project has separate hooks. */
function startsProgram(address: string, root: string, places: readonly string[]): boolean {
  if (/^[\w+.-]+::/.test(address)) return true;
  const isLocal = /^(file:\/\/|\/|\.{1,2}\/)/.test(address) || !address.includes(":");
  const path = realPath(resolve(root, address.replace(/^file:\/\//, "")));
  return isLocal && places.some((place) => isInside(path, realPath(place)));
}

function describeHooks({ hooks, hooksFolder, path, root, gitDir, commonDir }: ProgramsOf): TrustItem[] {
  const folder = realPath(hooksFolder);
  const isOfRepository = [root, gitDir, commonDir].some((place) => isInside(folder, realPath(place)));
  const isOfUser = hooks !== undefined && !/^(local|worktree)$/.test(hooks.scope) && isAbsolute(hooksFolder);
  if (isOfUser && !isOfRepository) return [];
  const shared = [gitDir, commonDir].some((place) => isInside(folder, realPath(place))) ? "" : hashFiles(folder);
  const names = namesIn(folder);
  if (names.length > MOST_FILES) return [tooMany(folder, path)];
  return names.flatMap((name): TrustItem[] => {
    const file = join(folder, name);
    if (name.endsWith(".sample") || !isProgram(file)) return [];
    const content = read(file);
    const hash = content === undefined ? randomUUID() : hashText(`${shared}\n${hashText(content)}`);
    return [{ kind: "hook", name, file, command: file, hash, id: `hook ${path} ${name}` }];
  });
}

/** A hash that never matches: what is not listed must not run. */
function tooMany(folder: string, path: string): TrustItem {
  return { kind: "hook", name: "*", file: folder, command: folder, hash: randomUUID(), id: `hook ${path} *` };
}

/** Hooks load files next to them. Those of husky, in a folder `_`, call the scripts in the folder above. */
function hashFiles(folder: string): string {
  const folders = basename(folder) === "_" ? [folder, dirname(folder)] : [folder];
  if (folders.some((at) => namesIn(at).length > MOST_FILES)) return randomUUID();
  const hashes = folders.flatMap((at) =>
    namesIn(at).flatMap((name) => {
      const content = isFile(join(at, name)) ? read(join(at, name)) : undefined;
      return content ? `${basename(at)}/${name} ${hashText(content)}` : [];
    }),
  );
  return hashes.length === 0 ? "" : hashText(hashes.sort().join("\n"));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  return statOf(path)?.isFile() ?? false;
}

/** What git would try to run. A FIFO counts, because it can be replaced by a file before git runs it. */
function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function read(path: string): Buffer | undefined {
  try {
    return readRegularFile(path);
  } catch {
    return undefined;
  }
}
