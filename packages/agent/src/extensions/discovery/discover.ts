import { basename, join, relative } from "node:path";
import { hashCommand, hashText, listEntries, readRegularText, realPath, statOf, type TrustItem } from "@gantry/trust";
import { commandLinesIn } from "../hooks/hook-file.ts";
import { readCommands } from "./command-folder.ts";
import { contentOf, type Found } from "./found.ts";
import { findAt, findPackages, isModuleFolder, nameOf } from "./packages.ts";
import { type ClaudeFiles, type ExtensionPlace, listPlaces, type Place } from "./places.ts";

const MODULE = /^[^._].*\.[cm]?[jt]s$/;
/** Hook commands name their scripts with it. */
const PROJECT_FOLDER = /"?\$(?:CLAUDE_PROJECT_DIR|\{CLAUDE_PROJECT_DIR\})"?/g;
const MOST_SHOWN = 8;

export type DiscoverySettings = { extensions: readonly string[]; claudeFiles: ClaudeFiles };

/**
 * All extensions, command files and hook files of the user, the project and the installed packages. Runs nothing and never
 * throws: what cannot be read has a problem. Of modules with the same name, the user's wins.
 */
export function discoverExtensions(place: ExtensionPlace, settings: DiscoverySettings): Found[] {
  const places = listPlaces(place, settings.claudeFiles);
  const found = places.flatMap((each) => findIn(each, place.cwd));
  const packages = findPackages(place.agentDir, settings.extensions, place.home);
  const all = [...found, ...packages].map((each) => (each.scope === "project" ? withItem(each, place.cwd) : each));
  return withoutTwins(all);
}

/** What a project would run as extensions, hooks and commands after the user trusted it. */
export function findProjectExtensions(place: ExtensionPlace, claudeFiles: ClaudeFiles): TrustItem[] {
  return discoverExtensions(place, { extensions: [], claudeFiles }).flatMap(({ item }) => item ?? []);
}

function findIn({ kind, scope, path, isClaude }: Place, cwd: string): Found[] {
  const kindOfStat = statOf(path);
  if (!kindOfStat) return [];
  const mark = isClaude ? { isClaude } : {};
  const from = scope === "project" ? relative(cwd, path) : path;
  if (kind === "modules") return kindOfStat.isDirectory() ? findModules(path, scope, from) : [];
  const file = basename(path);
  const name = isClaude ? `claude ${file}` : `${scope} ${kind === "hooks" ? kind : file}`;
  if (kind === "commands") return readCommands(path, { name, scope, from, ...mark });
  const about = { kind: "hooks" as const, name, scope, from, path, ...mark };
  try {
    const text = readRegularText(path);
    if (isClaude && commandLinesIn(text).length === 0) return [];
    return [{ ...about, files: new Map([[realPath(path), text]]) }];
  } catch (error) {
    return [{ ...about, files: new Map(), problem: (error as Error).message }];
  }
}

function findModules(folder: string, scope: Found["scope"], from: string): Found[] {
  return listEntries(folder)
    .map(({ path }) => path)
    .sort()
    .filter((name) => {
      const isFolder = statOf(join(folder, name))?.isDirectory();
      return isFolder
        ? !/^[._]/.test(name) && isModuleFolder(join(folder, name))
        : MODULE.test(name) && !name.endsWith(".d.ts");
    })
    .flatMap((name) => findAt(join(folder, name), { name: nameOf(name), scope, from }));
}

/** The hash covers every file that was read and, for hooks and commands, the files that their command lines name. */
export function withItem(found: Found, cwd: string): Found {
  const { kind, name, path, files } = found;
  const content = contentOf(new Map([...files].map(([file, text]) => [relative(realPath(cwd), realPath(file)), text])));
  const texts = kind === "module" ? [] : [...files.values()].flatMap((text) => commandLinesIn(text));
  const local = texts.map((text) => text.replace(PROJECT_FOLDER, "."));
  const hash = texts.length > 0 ? hashCommand(content, local, cwd) : hashText(content);
  const id = `extension:${kind}:${relative(cwd, path)}`;
  return { ...found, item: { kind: "extension", name, file: path, command: describe(found, cwd, texts), hash, id } };
}

function describe({ kind, path, files }: Found, cwd: string, commands: readonly string[]): string {
  if (kind === "module") return relative(realPath(cwd), realPath(path));
  const lines = kind === "hooks" ? commands : [...files.keys()].map((file) => `/${relative(path, file).slice(0, -3)}`);
  const more = lines.length > MOST_SHOWN ? ` and ${lines.length - MOST_SHOWN} more` : "";
  return `${lines.slice(0, MOST_SHOWN).join(", ")}${more}`;
}

/** A project cannot replace a module of the user by using its name. */
function withoutTwins(all: readonly Found[]): Found[] {
  const owners = new Map<string, Found>();
  for (const found of all) {
    const known = owners.get(found.name);
    if (found.kind === "module" && (!known || (known.scope === "project" && found.scope === "user")))
      owners.set(found.name, found);
  }
  return all.map((found) => {
    const owner = owners.get(found.name);
    if (found.kind !== "module" || owner === found) return found;
    return {
      ...found,
      name: `${found.name} (${found.from})`,
      problem: `Another extension has this name: ${owner?.path}.`,
    };
  });
}
