import { basename, isAbsolute, normalize, relative } from "node:path";
import { globPattern } from "../tools/search/glob.ts";
import type { Rule } from "./rule.ts";

/** The block that a piece belongs to. `paths`: the files that a call names so far. */
export type Speech = { kind: "text" } | { kind: "thinking" } | { kind: "tool"; tool: string; paths: readonly string[] };

/** `later`: it depends on files that the call has not named yet. */
export function inScope(rule: Rule, speech: Speech, cwd: string): boolean | "later" {
  const scope = rule.scope ?? ["text", "tool"];
  if (speech.kind !== "tool") return scope.includes(speech.kind) && rule.globs === undefined;
  const globs = scope.flatMap((token) => globsOf(token, speech.tool));
  if (globs.length === 0) return false;
  const open = globs.includes(undefined);
  const wanted = [rule.globs, open ? undefined : globs.filter((glob) => glob !== undefined)].filter(
    (list) => list !== undefined,
  );
  if (wanted.length === 0) return true;
  if (speech.paths.length === 0) return "later";
  return speech.paths.some((path) => wanted.every((list) => fits(path, list, [cwd, rule.root])));
}

/** The globs of a token for this tool; `undefined` in the list means every file, an empty list that the token does not match. */
function globsOf(token: string, tool: string): (string | undefined)[] {
  if (token === "tool") return [undefined];
  const [, name, glob] = /^tool:([^(]+)(?:\((.*)\))?$/.exec(token) ?? [];
  return name !== undefined && (name === tool || name === "*") ? [glob] : [];
}

/** Whether a file matches any of the globs, and none of those with `!`. A glob without a slash matches the file's name. */
export function fits(path: string, globs: readonly string[], roots: readonly string[]): boolean {
  const names = roots
    .map((root) => (isAbsolute(path) ? relative(root, path) : normalize(path)))
    .filter((name) => !name.startsWith(".."));
  const matches = (glob: string) => names.some((name) => matchesOne(name.replaceAll("\\", "/"), glob));
  const against = globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
  return globs.some((glob) => !glob.startsWith("!") && matches(glob)) && !against.some(matches);
}

function matchesOne(name: string, glob: string): boolean {
  const pattern = glob.replace(/^\.?\//, "").replace(/\/$/, "/**");
  return globPattern(pattern).test(pattern.includes("/") ? name : basename(name));
}
