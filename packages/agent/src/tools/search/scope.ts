import { statSync } from "node:fs";
import { dirname, isAbsolute, join, parse, relative } from "node:path";
import { ToolError, type ToolPlace } from "../../contract/tool.ts";
import type { Action } from "../../permissions/action.ts";
import { actionPath, allowedPath, displayPath, realPath, resolvePath } from "../disk/path.ts";
import { globPattern } from "./glob.ts";

/** A place to search: a folder or file that exists, and a glob for what is below it. */
export type Scope = { root: string; glob?: string };

const GLOB = /[*?[\]{}]/;

/** Splits a path with wildcards at the last folder without one. A name that exists as it is has none. */
export function scopeOf(path: string, place: ToolPlace): Scope {
  const whole = resolvePath(path, place);
  if (exists(whole)) return checked({ root: whole });
  if (!GLOB.test(path)) throw new ToolError(`${path} does not exist.`);
  const parts = path.split("/");
  const first = parts.findIndex((part) => GLOB.test(part));
  const root = resolvePath(parts.slice(0, first).join("/") || (isAbsolute(path) ? "/" : "."), place);
  if (!exists(root)) throw new ToolError(`${displayPath(root, place)} does not exist.`);
  return checked({ root, glob: parts.slice(first).join("/") });
}

/** The places of a search that was allowed; refuses one that a link has turned elsewhere since. */
export function allowedScopes(paths: readonly string[], place: ToolPlace, actions: readonly Action[]): Scope[] {
  const scopes = scopesOf(paths, place);
  for (const { root } of scopes) allowedPath(root, place, actions);
  return scopes;
}

function scopesOf(paths: readonly string[], place: ToolPlace): Scope[] {
  return (paths.length > 0 ? paths : ["."]).map((path) => scopeOf(path, place));
}

/** Where the permission sees the search. */
export function scopeActions(paths: readonly string[], place: ToolPlace) {
  return scopesOf(paths, place).map(({ root }) => ({ kind: "file.read" as const, path: actionPath(root, place) }));
}

/** A folder to run in and what to name there, so that what comes out is relative. */
export function runPlace({ root }: Scope): { cwd: string; target: string } {
  return isFolder(root)
    ? { cwd: root, target: "." }
    : { cwd: dirname(root), target: `./${relative(dirname(root), root)}` };
}

/**
 * Which files ripgrep looks at. A glob of its own would bring back what git ignores, so one for names is given to it as a
 * type of file, and `inScope` sees to all others.
 */
export function fileFlags(glob: string | undefined, options: { hidden: boolean; gitignore: boolean }): string[] {
  const name = glob?.replace(/^!?(\*\*\/)?/, "");
  const typed =
    name && !/[/:]/.test(name) ? ["--type-add", `wanted:${name}`, glob!.startsWith("!") ? "-T" : "-t", "wanted"] : [];
  return [
    ...(options.gitignore ? ["--no-require-git"] : ["--no-ignore"]),
    ...(options.hidden ? ["--hidden"] : []),
    ...typed,
    "-g",
    "!.git",
  ];
}

/** Tells of a name below the scope whether it is wanted. */
export function inScope(scope: Scope, glob?: string): (name: string) => boolean {
  const tests = [scope.glob, glob].filter((one) => one !== undefined).map(testOf);
  return (name) => tests.every((test) => test(name.replace(/^\.\//, "")));
}

function testOf(glob: string): (name: string) => boolean {
  const pattern = globPattern(glob.replace(/^!/, ""));
  return (name) => pattern.test(name) !== glob.startsWith("!");
}

/** The name of a hit for the model, from what ripgrep said in `cwd`. */
export function hitName(cwd: string, name: string, place: ToolPlace): string {
  return displayPath(join(cwd, name), place);
}

function checked(scope: Scope): Scope {
  if (realPath(scope.root) === parse(scope.root).root)
    throw new ToolError("Searching the whole disk is refused. Name a folder.");
  return scope;
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
