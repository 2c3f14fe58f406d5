import { dirname } from "node:path/posix";
import type { Grant, InputRequest, Mode, Scope } from "@gantry/protocol";
import { MAX_TEXT } from "../reading/bounds.ts";

/** Programs with subcommands: `git status` and `git push` are different permissions. */
const WITH_SUBCOMMAND =
  /^(git|npm|pnpm|yarn|bun|cargo|go|docker|kubectl|gh|pip|poetry|uv|make|just|dotnet|mvn|gradle)$/;

/** Characters by which a shell could run more than the one command. */
const SHELL_SYNTAX = /[;&|<>()$`\\\n\r{}*?[\]~#!'"]/;

/**
 * What "allow for this session" would cover for this request: commands with the same beginning, or files in the same
 * folder. `more` are the session's further folders. `undefined` when it is not about a tool, or when its command was cut.
 */
export function scopeOf(
  request: Pick<InputRequest, "kind" | "tool" | "diff">,
  cwd: string,
  more: readonly string[] = [],
): Scope | undefined {
  const tool = request.tool;
  if (request.kind !== "approval" || !tool || isCut(tool)) return undefined;
  if (tool.command !== undefined) return commandScope(tool.name, tool.command.trim());
  const paths = (request.diff ?? []).flatMap((change) => [change.path, ...(change.to ? [change.to] : [])]);
  if (paths.length > 0) return pathScope(tool.name, paths, cwd, more);
  const input = JSON.stringify(tool.input ?? null);
  return { tool: tool.name, command: input, label: `${tool.name} with exactly this input` };
}

/** Two commands that were cut can look the same and differ in what was cut off. */
function isCut({ name, command = "" }: NonNullable<InputRequest["tool"]>): boolean {
  return name.length > MAX_TEXT || command.length > MAX_TEXT;
}

function commandScope(tool: string, command: string): Scope {
  if (SHELL_SYNTAX.test(command)) return { tool, command, label: `exactly: ${command}` };
  const parts = command.split(/\s+/);
  const length = WITH_SUBCOMMAND.test(parts[0] ?? "") && parts[1] && !parts[1].startsWith("-") ? 2 : 1;
  const prefix = parts.slice(0, length).join(" ");
  return { tool, prefix, label: `commands that start with: ${prefix}` };
}

function pathScope(tool: string, paths: string[], cwd: string, more: readonly string[]): Scope {
  const absolute = paths.map((path) => normalise(path, cwd));
  const folders = absolute.map(dirname);
  const common = folders.reduce((a, b) => commonFolder(a, b));
  // A common folder outside the session's would cover too much.
  const inside = [cwd, ...more].some((folder) => common === folder || common.startsWith(`${folder}/`));
  const glob = inside ? `${common}/**` : absolute.join(",");
  return { tool, glob, label: inside ? `files in ${common}` : `only ${absolute.join(", ")}` };
}

/** The first grant that covers the request. */
export function grantFor(
  grants: readonly Grant[],
  request: Pick<InputRequest, "kind" | "tool" | "diff">,
  cwd: string,
): Grant | undefined {
  if (request.kind !== "approval" || !request.tool || isCut(request.tool)) return undefined;
  return grants.find((grant) => covers(grant.scope, request, cwd));
}

function covers(scope: Scope, request: Pick<InputRequest, "tool" | "diff">, cwd: string): boolean {
  const tool = request.tool;
  if (!tool || tool.name !== scope.tool) return false;
  const command = tool.command?.trim();
  if (scope.prefix !== undefined) {
    if (command === undefined || SHELL_SYNTAX.test(command)) return false;
    return command === scope.prefix || command.startsWith(`${scope.prefix} `);
  }
  if (scope.command !== undefined) return (command ?? JSON.stringify(tool.input ?? null)) === scope.command;
  if (scope.glob === undefined || !request.diff?.length) return false;
  const paths = request.diff.flatMap((change) => [change.path, ...(change.to ? [change.to] : [])]);
  return paths.every((path) => inGlob(normalise(path, cwd), scope.glob ?? ""));
}

function inGlob(path: string, glob: string): boolean {
  if (glob.endsWith("/**")) return path.startsWith(glob.slice(0, -2));
  return glob.split(",").includes(path);
}

/** Absolute, without `.` and `..`, so that a path cannot escape the folder it matches. */
function normalise(path: string, cwd: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function commonFolder(a: string, b: string): string {
  const left = a.split("/");
  const right = b.split("/");
  let shared = 0;
  while (shared < left.length && left[shared] === right[shared]) shared++;
  return left.slice(0, shared).join("/") || "/";
}

/** The kinds of tools that change files and nothing else. */
export const WRITES: ReadonlySet<string> = new Set(["edit", "delete", "move"]);

/**
 * Does the mode promise not to ask for this? Full-auto asks nothing, auto-edit not for edits inside the session's folders.
 * Only an approval of a tool is covered: questions, plans and logins need a person.
 */
export function isPromised(
  mode: Mode,
  request: Pick<InputRequest, "kind" | "tool" | "diff">,
  cwd: string,
  more: readonly string[] = [],
): boolean {
  const { kind, tool, diff = [] } = request;
  if (kind !== "approval" || !tool) return false;
  if (mode === "full-auto") return true;
  if (mode !== "auto-edit" || !WRITES.has(tool.kind) || tool.command !== undefined) return false;
  const changed = diff.flatMap(({ path, to }) => [path, ...(to ? [to] : [])]);
  const paths = changed.length > 0 ? changed : pathsIn(tool.input);
  const isInside = (path: string) => [cwd, ...more].some((folder) => path.startsWith(`${folder}/`));
  return paths.length > 0 && paths.every((path) => isInside(normalise(path, cwd)));
}

/** The files that a tool's input names, for requests without a diff. */
function pathsIn(input: unknown): string[] {
  const named = Object.entries(typeof input === "object" && input !== null ? input : {});
  return named.flatMap(([key, value]) =>
    ["path", "file_path", "filePath"].includes(key) && typeof value === "string" ? [value] : [],
  );
}
