import { dirname, isAbsolute, join, parse, relative } from "node:path";
import { statOf } from "@gantry/trust";
import { ToolError, type ToolPlace } from "../../contract/tool.ts";
import type { Action } from "../../permissions/action.ts";
import { actionPath, allowedPath, displayPath, realPath, resolvePath } from "../disk/path.ts";
import { globPattern } from "./glob.ts";

/** A place to search: an existing folder or file, and a glob for the files below it. */
export type Scope = { root: string; glob?: string };

const GLOB = /[*?[\]{}]/;

/** Splits a path with wildcards after the last folder without one. An existing path is taken literally. */
export function scopeOf(path: string, place: ToolPlace): Scope {
  const whole = resolvePath(path, place);
  if (exists(whole)) return checkScope({ root: whole });
  if (!GLOB.test(path)) throw new ToolError(`${path} does not exist.`);
  const parts = path.split("/");
  const first = parts.findIndex((part) => GLOB.test(part));
  const root = resolvePath(parts.slice(0, first).join("/") || (isAbsolute(path) ? "/" : "."), place);
  if (!exists(root)) throw new ToolError(`${displayPath(root, place)} does not exist.`);
  return checkScope({ root, glob: parts.slice(first).join("/") });
}

/** The places of a permitted search; refuses one whose link was changed since then. */
export function allowedScopes(paths: readonly string[], place: ToolPlace, actions: readonly Action[]): Scope[] {
  const scopes = scopesOf(paths, place);
  for (const { root } of scopes) allowedPath(root, place, actions);
  return scopes;
}

function scopesOf(paths: readonly string[], place: ToolPlace): Scope[] {
  return (paths.length > 0 ? paths : ["."]).map((path) => scopeOf(path, place));
}

/** The paths for the permission check. */
export function scopeActions(paths: readonly string[], place: ToolPlace) {
  return scopesOf(paths, place).map(({ root }) => ({ kind: "file.read" as const, path: actionPath(root, place) }));
}

/** A working folder and a relative name, so that the output is relative. */
export function runPlace({ root }: Scope): { cwd: string; target: string } {
  return isFolder(root)
    ? { cwd: root, target: "." }
    : { cwd: dirname(root), target: `./${relative(dirname(root), root)}` };
}

/**
 * The file selection for ripgrep. A glob option would include ignored files, so a glob for names is passed as a file type,
 * and `inScope` checks all others.
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

/** Whether a path below the scope matches. */
export function inScope(scope: Scope, glob?: string): (name: string) => boolean {
  const tests = [scope.glob, glob].filter((one) => one !== undefined).map(testOf);
  return (name) => tests.every((test) => test(name.replace(/^\.\//, "")));
}

function testOf(glob: string): (name: string) => boolean {
  const pattern = globPattern(glob.replace(/^!/, ""));
  return (name) => pattern.test(name) !== glob.startsWith("!");
}

/** The path of a hit for the model, from ripgrep's path relative to `cwd`. */
export function hitName(cwd: string, name: string, place: ToolPlace): string {
  return displayPath(join(cwd, name), place);
}

function checkScope(scope: Scope): Scope {
  if (realPath(scope.root) === parse(scope.root).root)
    throw new ToolError("Searching the whole disk is refused. Name a folder.");
  return scope;
}

function exists(path: string): boolean {
  return statOf(path) !== undefined;
}

export function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}
